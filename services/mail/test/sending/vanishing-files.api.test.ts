import { ScanStatus } from '@caseway/protos/files/v1/events'
import { type HttpClient, invalidFields, type TestTenant } from '@caseway/testing'
import { file } from '@caseway/testing/fake-files'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'
import { smtp, writtenMessages } from '../support/written-messages.js'

const { service, files, stop } = await serviceWithFiles()
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

const { post, made, put, message } = writtenMessages(service, () => ({ http, mailbox }))

/** A file with a field whose value is another one from the second request of its content on. */
function changing<Name extends 'customerId' | 'scanStatus'>(name: Name, first: unknown, later: unknown): string {
  const added = file({ customerId: here.customerId })
  let reads = 0
  Object.defineProperty(added, name, { get: () => (reads++ === 0 ? first : later) })
  files.files.push(added)
  return String(added.id)
}

describe('a file that changes while its message is queued', () => {
  it.each([
    ['it was deleted', () => changing('customerId', here.customerId, 0n), 'does not exist'],
    ['it was found to be infected', () => changing('scanStatus', ScanStatus.OK, ScanStatus.INFECTED), 'must have passed the virus scan'],
  ])('is refused like one that was so before: %s', async (_, added, text) => {
    expect(await post({ status: 0, common_file_ids: [added()] })).toMatchObject(invalidFields({ common_file_ids: text }))
    const id = await made()
    expect(await put(id, { status: 0, common_file_ids: [added()] })).toMatchObject(invalidFields({ common_file_ids: text }))
    expect(await message(id)).toMatchObject({ status: '4' })
  })
})
