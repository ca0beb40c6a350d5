import { randomUUID } from 'node:crypto'
import { type HttpClient, invalidFields, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { serviceWithFiles } from '../support/service-with-files.js'
import { smtp, writtenMessages } from '../support/written-messages.js'

const { service, stop } = await serviceWithFiles()
afterAll(stop)

let here: TestTenant
let http: HttpClient
let mailbox: number
beforeEach(async () => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
  mailbox = await createMailServer(http, smtp)
})

const { post, made, put, message, recipients } = writtenMessages(service, () => ({ http, mailbox }))

describe('POST /rest/mail_sent_mysql_message', () => {
  it('accepts recipients of three kinds, one text for a list, and internationalised domains', async () => {
    const id = await made({
      ...{ mail_to_address: 'anna@żółć.example', mail_to_name: 'Anna', mail_cc_address: ['b@x.example', 'c@x.example'] },
      ...{ mail_bcc_address: ['d@x.example'], mail_bcc_name: ['Dora'] },
    })
    const address = 'anna@xn--kda4b0koi.example'
    expect(await recipients(id)).toEqual([
      `to ${address} Anna pending`,
      'cc b@x.example  pending',
      'cc c@x.example  pending',
      'bcc d@x.example Dora pending',
    ])
    expect(await message(id)).toMatchObject({ mail_address: address, mail_name: 'Anna' })
  })

  it('changes names or addresses alone: recipients that stay keep the other one', async () => {
    const id = await made({ mail_to_address: ['a@x.example', 'b@x.example'], mail_to_name: ['A', 'B'], mail_cc_address: ['c@x.example'] })
    await put(id, { mail_to_name: ['Anna', ''] })
    expect(await recipients(id)).toEqual(['to a@x.example Anna pending', 'to b@x.example  pending', 'cc c@x.example  pending'])
    await put(id, { mail_to_address: ['new@x.example', 'A@x.example'], mail_cc_name: ['C'] })
    expect(await recipients(id)).toEqual(['to new@x.example  pending', 'to A@x.example Anna pending', 'cc c@x.example C pending'])
    for (const mail_to_name of [[], ['one'], ['one', 'two', 'three']])
      expect(await put(id, { mail_to_name })).toMatchObject(invalidFields({ mail_to_name: 'must have as many entries as mail_to_address' }))
    expect(await put(id, { mail_bcc_name: ['D'] })).toMatchObject(
      invalidFields({ mail_bcc_name: 'must have as many entries as mail_bcc_address' }),
    )
  })

  it('sends once to an address that is listed twice', async () => {
    const id = await made({ mail_to_address: ['a@x.example', 'A@X.example'], mail_to_name: ['A', 'B'], mail_cc_address: ['a@x.example'] })
    expect(await recipients(id)).toEqual(['to a@x.example A pending'])
  })

  it('requires a recipient for a queued message, and none for a draft', async () => {
    const none = { mail_to_address: [], mail_to_name: [] }
    expect(await post({ ...none, status: 0 })).toMatchObject(invalidFields({ mail_to_address: 'is required' }))
    expect(await message(await made(none))).toMatchObject({ mail_address: '', mail_name: '' })
    expect((await post({ ...none, mail_bcc_address: 'a@x.example', status: 0 })).status).toBe(201)
  })

  it('accepts a hundred recipients and no more', async () => {
    const some = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@x.example`)
    expect((await post({ mail_to_address: some(60), mail_to_name: undefined, mail_cc_address: some(40) })).status).toBe(201)
    expect(await post({ mail_to_address: some(60), mail_to_name: undefined, mail_bcc_address: some(41) })).toMatchObject(
      invalidFields({ mail_to_address: 'must be at most 100 with those in cc and bcc' }),
    )
    expect(await post({ mail_cc_address: some(101) })).toMatchObject(invalidFields({ mail_cc_address: 'must have at most 100 entries' }))
  })
})
