import type { Id } from '@caseway/kit/caller'
import { folderCountTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newMailbox, officeWithMail, storeOne, type TestMailbox } from '../support/mailbox.js'
import { done, path, receivedMessages } from '../support/received-messages.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const { expert, ids, put, get, folder, counts } = receivedMessages(service, () => here)

describe('PUT /rest/mail_received_mysql_message/{id}', () => {
  it('moves between folders, and records it in the trace', async () => {
    const id = await storeOne(engine, box, 'OTHERS')
    const custom = await folder()
    await put(id, { mail_folder_id: Number(custom) })
    expect(await get(id)).toMatchObject({ folder_name: null, mail_folder_id: String(custom) })
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 1 })
    await put(id, { folder_name: 'LEADS' })
    expect(await get(id)).toMatchObject({ folder_name: 'LEADS', mail_folder_id: null })
    expect(await counts()).toEqual({ '0 LEADS 0': 1 })
    const { body } = await expert().get(`${path}/${id}/trace`)
    const reason = { by: 'moved', user: String(here.expert.userId) }
    expect(body).toMatchObject({
      MailTrace: [
        { kind: 'arrived' },
        { reason: { ...reason, mail_folder_id: String(custom) } },
        { reason: { ...reason, folder: 'LEADS' } },
      ],
    })
  })

  it('refuses folders that are missing, of others, of another office, and two at once', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const [clients] = (await expert().get<{ MailFolder: { id: string } }[]>('/mail_folder')).body
    const theirs = await folder({}, service.asExpert(here.specialist))
    const foreign = await folder({ is_global: '1' }, service.asExpert(officeWithMail(service).expert))
    for (const mail_folder_id of [clients?.MailFolder.id, Number(theirs), Number(foreign), 999_999_999]) {
      const { status, body } = await put(id, { mail_folder_id })
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: { mail_folder_id: 'does not exist' } }])
    }
    expect((await put(id, { folder_name: 'INBOX', is_read: 'x', tags: [''] })).body).toEqual({
      ...{ status: 'error', errorMessages: { folder_name: expect.any(String), is_read: expect.any(String), tags: expect.any(String) } },
    })
    expect((await put(id, { folder_name: 'LEADS', mail_folder_id: Number(theirs) })).status).toBe(400)
    expect(await get(id)).toMatchObject({ folder_name: 'CLIENTS' })
  })

  it('lets nobody hide a message of the office in a folder of their own, nor move one to a folder without its right', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    const colleague = here.employee('specialist')
    service.auth.rights.set(colleague.userId, ['mailbox.crm_folders.clients', 'mailbox.personal_mailbox'])
    const http = service.asExpert(colleague)
    const own = Number(await folder({}, http))
    const text = 'is a folder of one person, for messages of their own mailboxes'
    expect((await put(id, { mail_folder_id: own }, http)).body).toMatchObject({ errorMessages: { mail_folder_id: text } })
    expect((await put(id, { folder_name: 'OTHERS' }, http)).body).toMatchObject({ errorMessages: { folder_name: text } })
    expect((await put(id, { folder_name: 'LEADS' }, http)).status).toBe(403)
    service.auth.rights.set(colleague.userId, ['mailbox.crm_folders.clients'])
    const without = here.employee('specialist')
    service.auth.rights.set(without.userId, ['mailbox.crm_folders.clients'])
    expect((await put(id, { folder_name: 'OTHERS' }, service.asExpert(without))).status).toBe(403)
    expect((await put(id, { mail_folder_id: own }, service.asExpert(without))).status).toBe(403)
    expect((await put(id, { is_read: '1' }, service.asExpert(without))).status).toBe(200)
  })
})

describe('DELETE and restore', () => {
  it('moves to TRASH and back, and from TRASH for good', async () => {
    const custom = await folder()
    const id = await storeOne(engine, box, { system: null, custom }, { subject: 'Confidential', text: 'Very' })
    expect((await expert().delete(`${path}/${id}`)).body).toEqual(done)
    expect(await get(id)).toMatchObject({ folder_name: 'TRASH', mail_folder_id: null })
    expect(await counts()).toEqual({})
    expect((await expert().post(`${path}/${id}/restore`)).body).toEqual(done)
    expect(await get(id)).toMatchObject({ folder_name: null, mail_folder_id: String(custom) })
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 1 })
    expect((await expert().post(`${path}/${id}/restore`)).body).toMatchObject({ errorCode: 'MAIL_MESSAGE_NOT_IN_TRASH' })
    await expert().delete(`${path}/${id}`)
    expect((await expert().delete(`${path}/${id}`)).status).toBe(200)
    expect((await expert().get(`${path}/${id}`)).status).toBe(404)
    expect(await ids('?q=confidential')).toEqual([])
    const [row] = await service.database.rows(
      'SELECT removed, mail_subject, body_text, mail_body, blob_key FROM mail_received_messages WHERE id = $1',
      [id],
    )
    expect(row).toEqual({ removed: true, mail_subject: '', body_text: '', mail_body: '', blob_key: 'erased' })
    expect(await service.database.rows('SELECT FROM mail_received_documents WHERE message_id = $1', [id])).toEqual([])
  })

  it('restores to OTHERS a message whose folder was deleted, or that arrived in the trash of the server', async () => {
    const custom = await folder()
    const id = await storeOne(engine, box, { system: null, custom })
    await expert().delete(`${path}/${id}`)
    await expert().delete(`/mail_folder/${custom}`)
    await expert().post(`${path}/${id}/restore`)
    expect(await get(id)).toMatchObject({ folder_name: 'OTHERS', mail_folder_id: null })
    const trashed = await storeOne(engine, box, 'TRASH')
    await expert().post(`${path}/${trashed}/restore`)
    expect(await get(trashed)).toMatchObject({ folder_name: 'OTHERS' })
  })

  it('moves what a colleague deletes to the TRASH of the owner', async () => {
    const id = await storeOne(engine, box, 'CLIENTS')
    expect((await service.asExpert(here.specialist).delete(`${path}/${id}`)).status).toBe(200)
    expect((await service.asExpert(here.specialist).get(`${path}/${id}`)).status).toBe(404)
    expect(await get(id)).toMatchObject({ folder_name: 'TRASH' })
    await expert().post(`${path}/${id}/restore`)
    expect(await get(id)).toMatchObject({ folder_name: 'CLIENTS' })
  })
})

describe('the counts', () => {
  it('equal a recount after any moves, and are published with rising revisions', async () => {
    const [mine, ours] = [await folder(), await folder({ is_global: '1' })]
    const messages: Id[] = []
    for (const name of ['CLIENTS', 'OTHERS', 'DRAFTS', 'TRASH', 'SENT', 'LEADS'] as const) messages.push(await storeOne(engine, box, name))
    const targets = ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS', 'DRAFTS', 'SENT', 'TRASH'].map((folder_name) => ({
      folder_name,
    }))
    const customs = [mine, ours].map((id) => ({ mail_folder_id: Number(id) }))
    const any = <T>(items: readonly T[], seed: number) => items[(seed * 7919) % items.length] as T
    for (let i = 0; i < 60; i += 3) {
      await Promise.all(
        [i, i + 1, i + 2].map((seed) =>
          put(any(messages, seed), { ...any([...targets, ...customs], seed + i), is_read: String((seed >> 1) % 2) }),
        ),
      )
    }
    const kept = await counts()
    const events = (await service.published(folderCountTopic))
      .map(({ event }) => event)
      .filter(({ customerId }) => customerId === here.customerId)
    const last = new Map(events.map((event) => [`${event.userId} ${event.folder} ${event.folderId}`, event]))
    const rows = await service.database.rows<{ count: number }>('SELECT count FROM folder_counts WHERE customer_id = $1 ORDER BY count', [
      here.customerId,
    ])
    expect([...last.values()].map(({ count }) => count).sort()).toEqual(rows.map(({ count }) => count).sort())
    expect(Object.keys(kept).length).toBeGreaterThan(0)
    const revisions = events.filter(({ folderId }) => folderId === BigInt(mine)).map(({ revision }) => revision)
    expect(revisions.length).toBeGreaterThan(1)
    expect(revisions).toEqual(revisions.toSorted((a, b) => Number(a - b)))
  })
})
