import type { Id } from '@caseway/kit/caller'
import type { HttpClient, TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mailRights, newMailbox, officeWithMail, storeOne, type TestMailbox } from '../support/mailbox.js'
import { path, receivedMessages } from '../support/received-messages.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const { ids, folder } = receivedMessages(service, () => here)

describe('who sees what', () => {
  const officeFolders = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS'] as const
  const personal = ['OTHERS', 'DRAFTS', 'SENT', 'TRASH'] as const

  /** Expects that every read of the message is as if it did not exist. */
  const isHidden = async (id: Id, http: HttpClient) => {
    const answers = await Promise.all([
      ...['', '/trace', '/source', '/body'].map((suffix) => http.get(`${path}/${id}${suffix}`)),
      ...[
        http.put(`${path}/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } }),
        http.delete(`${path}/${id}`),
        http.post(`${path}/${id}/restore`),
      ],
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await http.put(path, { MailReceivedMysqlMessage: { ids: [Number(id)], is_read: '1' } })).body).toEqual({
      ...{ status: 'error', errorMessages: { ids: 'does not exist' } },
    })
    expect(await ids('', http)).not.toContain(id)
    expect(await ids('?q=subject', http)).not.toContain(id)
  }

  it.each(officeFolders)('shows %s to whoever in the office has its right', async (name) => {
    const id = await storeOne(engine, box, name)
    const right = `mailbox.crm_folders.${name.toLowerCase()}`
    const [having, others] = [here.employee('trainee'), here.employee('trainee')]
    service.auth.rights.set(having.userId, [right])
    service.auth.rights.set(others.userId, [...mailRights.filter((other) => other !== right), 'mailbox.personal_mailbox'])
    expect(await ids('', service.asExpert(having))).toEqual([id])
    expect((await service.asExpert(having).get(`${path}/${id}`)).status).toBe(200)
    await isHidden(id, service.asExpert(others))
  })

  it.each(personal)('shows %s to the owner of the mailbox, who needs the right to their own mail', async (name) => {
    const id = await storeOne(engine, box, name)
    expect(await ids()).toEqual([id])
    await isHidden(id, service.asExpert(here.specialist))
    const without = here.employee('expert')
    service.auth.rights.set(without.userId, mailRights)
    await isHidden(await storeOne(engine, await newMailbox(engine, here, without.userId), name), service.asExpert(without))
  })

  it('shows custom folders to their owner, and those of the office to everybody there', async () => {
    const own = await storeOne(engine, box, { system: null, custom: await folder() })
    const global = await storeOne(engine, box, { system: null, custom: await folder({ is_global: '1' }) })
    expect((await ids()).sort()).toEqual([own, global].sort())
    const colleague = service.asExpert(here.trainee)
    expect(await ids('', colleague)).toEqual([global])
    await isHidden(own, colleague)
    const without = here.employee('expert')
    service.auth.rights.set(without.userId, mailRights)
    await isHidden(global, service.asExpert(without))
  })

  it('shows nothing to another office', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    await isHidden(id, service.asExpert(officeWithMail(service).expert))
  })
})
