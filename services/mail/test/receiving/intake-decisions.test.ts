import { createHash } from 'node:crypto'
import { randomId, type TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { announced, newMailbox, officeWithMail, type TestMailbox } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

describe('decide', () => {
  const folderOf = async (message: Parameters<typeof announced>[1], mailbox = box) => {
    const [decision] = await engine.intake.decide(mailbox, [announced(mailbox, message)])
    return decision?.kind === 'store' ? (decision.folder.system ?? decision.folder.custom) : decision?.reason.by
  }
  const knows = (kind: string, address: string, known = true) =>
    service.database.rows(
      'INSERT INTO senders (customer_id, kind, id, address, client_id, known, revision) VALUES ($1, $2, 1, $3, 7, $4, 1)',
      [...[here.customerId, kind, address, known]],
    )
  const from = (address: string) => ({ from: { address, name: '' } })

  it('recognises a client, a person of a provider, an employee of any office and a lead, in this order', async () => {
    await knows('lead', 'one@known.example')
    expect(await folderOf(from('One@Known.example'))).toBe('LEADS')
    const hash = createHash('sha256').update('one@known.example').digest()
    await service.database.rows('INSERT INTO employee_addresses (user_id, hash, known, revision) VALUES ($1, $2, true, 1)', [
      randomId(),
      hash,
    ])
    expect(await folderOf(from('one@known.example'))).toBe('OFFICES')
    await knows('provider', 'one@known.example')
    expect(await folderOf(from('one@known.example'))).toBe('PROVIDERS')
    await knows('client', 'one@known.example')
    expect(await folderOf(from('one@known.example'))).toBe('CLIENTS')
    const [decision] = await engine.intake.decide(box, [announced(box, from('one@known.example'))])
    expect(decision).toMatchObject({ clientId: 7n, reason: { by: 'sender', kind: 'client', folder: 'CLIENTS' } })
  })

  it('puts everybody else into OTHERS, including senders that only another office knows, or that are not known any more', async () => {
    await knows('client', 'gone@known.example', false)
    expect(await folderOf(from('gone@known.example'))).toBe('OTHERS')
    const there = officeWithMail(service)
    const other = await newMailbox(engine, there, there.expert.userId)
    await service.database.rows('INSERT INTO senders VALUES ($1, $2, 2, $3, 7, true, 1)', [here.customerId, 'client', 'mine@known.example'])
    expect(await folderOf(from('mine@known.example'), other)).toBe('OTHERS')
    expect(await folderOf({ from: null })).toBe('OTHERS')
  })

  it('maps special folders of the server, and keeps junk out of the folders of the office', async () => {
    await knows('client', 'one@known.example')
    const of = (specialUse: string) => folderOf({ ...from('one@known.example'), specialUse })
    expect([await of('sent'), await of('drafts'), await of('trash'), await of('junk')]).toEqual(['SENT', 'DRAFTS', 'TRASH', 'OTHERS'])
    expect([await of('inbox'), await of('archive')]).toEqual(['CLIENTS', 'CLIENTS'])
  })

  it('prefers the first matching rule of the owner to the known sender', async () => {
    await knows('client', 'one@known.example')
    const http = service.asExpert(here.expert)
    const folder = async (name: string) => (await http.post<{ id: number }>('/mail_folder', { MailFolder: { name } })).body.id
    const [first, second] = [await folder('First'), await folder('Second')]
    const rule = (mail_folder_id: number, position: string, value: string) => {
      const conditions = [{ field: 'subject', operator: 'contains', value }]
      return http.post('/mail_folder_rule', { MailFolderRule: { mail_folder_id, position, name: 'A rule', conditions } })
    }
    expect((await rule(second, '2', 'invoice')).status).toBe(201)
    expect((await rule(first, '1', 'INVOICE 7')).status).toBe(201)
    expect(await folderOf({ ...from('one@known.example'), subject: 'Your Invoice 7' })).toBe(BigInt(first))
    expect(await folderOf({ subject: 'An invoice' })).toBe(BigInt(second))
    expect(await folderOf({ ...from('one@known.example'), subject: 'Hello' })).toBe('CLIENTS')
    const colleague = await newMailbox(engine, here, here.specialist.userId)
    expect(await folderOf({ subject: 'An invoice' }, colleague)).toBe('OTHERS')
  })

  it('discards messages from before the first day that is fetched', async () => {
    const mailbox = { ...box, fetchAfter: new Date('2026-01-02T00:00:00Z') }
    expect(await folderOf({ internalDate: new Date('2026-01-01T23:59:59Z') }, mailbox)).toBe('too-old')
    expect(await folderOf({ internalDate: new Date('2026-01-02T00:00:00Z') }, mailbox)).toBe('OTHERS')
  })
})
