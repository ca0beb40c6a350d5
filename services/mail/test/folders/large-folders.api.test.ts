import type { Id } from '@caseway/kit/caller'
import { folderCountTopic } from '@caseway/protos/topics'
import { eventually, type GrpcClient, grpcClient, type TestTenant } from '@caseway/testing'
import { type Held, holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { customFolder } from '../../src/received-messages/target-folder.js'
import { newMailbox, officeWithMail, storeOne, type TestMailbox } from '../support/mailbox.js'
import { done, path, receivedMessages } from '../support/received-messages.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
const snapshot: GrpcClient = grpcClient(service.service.grpcAddress ?? '', 'caseway.mail.v1.SnapshotService')
afterAll(async () => {
  snapshot.close()
  await stop()
})

/** More than are moved in the request, and not a multiple of it. */
const further = 1_200

let here: TestTenant
let box: TestMailbox
let custom: Id
let first: Id
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  custom = await folder()
  first = await storeOne(engine, box, customFolder(custom))
  await addCopies(further)
})

/** Adds unread copies of the first message, and counts them. */
async function addCopies(count: number) {
  await service.database.rows(
    `INSERT INTO mail_received_messages
     SELECT (jsonb_populate_record(message, jsonb_build_object('id', nextval(pg_get_serial_sequence('mail_received_messages', 'id'))))).*
     FROM mail_received_messages AS message, generate_series(1, ${count}) WHERE message.id = $1`,
    [first],
  )
  await service.database.rows('UPDATE folder_counts SET count = count + $2 WHERE folder_id = $1', [custom, count])
}

const { expert, put, get, folder, counts } = receivedMessages(service, () => here)
const remove = (id = custom) => expert().delete(`/mail_folder/${id}`)
const names = async () =>
  (await expert().get<{ MailFolder: { name: string } }[]>('/mail_folder')).body.map(({ MailFolder }) => MailFolder.name)
const inOthers = () => ({ [`${here.expert.userId} OTHERS 0`]: further + 1 })
const emptied = () => eventually(async () => expect(await counts()).toEqual(inOthers()))
const published = async () =>
  (await service.published(folderCountTopic)).map(({ event }) => event).filter(({ folderId }) => folderId === custom)

describe('a folder with many messages that is deleted', () => {
  it('moves all of them to OTHERS, with their counts', async () => {
    expect((await remove()).body).toEqual(done)
    await emptied()
    expect(await service.database.rows('SELECT FROM mail_folders WHERE id = $1', [custom])).toEqual([])
    expect(await service.database.rows('SELECT FROM mail_received_messages WHERE mail_folder_id = $1', [custom])).toEqual([])
    const moved = `SELECT count(*)::int FROM mail_traces WHERE customer_id = $1 AND reason ->> 'by' = 'folder-removed'`
    expect(await service.database.rows(moved, [here.customerId])).toEqual([{ count: further + 1 }])
    expect((await published()).at(-1)).toMatchObject({ count: 0, removed: true })
  })

  it('takes no message that was on its way to it', async () => {
    const removal = await holdTransaction(service.database, 'SELECT FROM mail_folders WHERE id = $1 FOR UPDATE', [custom])
    await removal.query('UPDATE mail_folders SET removed = true WHERE id = $1', [custom])
    const other = await storeOne(engine, box, 'OTHERS')
    const arrival = storeOne(engine, box, customFolder(custom))
    const move = put(other, { mail_folder_id: Number(custom) })
    await untilWaiting(service.database, 2)
    await removal.commit()
    expect((await move).status).toBe(400)
    expect(await get(await arrival)).toMatchObject({ folder_name: 'OTHERS' })
  })

  describe('and whose messages are not moved yet', () => {
    let held: Held
    /** The job waits for the first message. */
    beforeEach(async () => {
      held = await holdTransaction(service.database, 'SELECT FROM mail_received_messages WHERE id = $1 FOR UPDATE', [first])
    })
    const released = async () => {
      await held.commit()
      await emptied()
    }

    it('is gone, with its rules and its count', async () => {
      const rule = { name: 'A rule', mail_folder_id: Number(custom), conditions: [{ field: 'from', operator: 'contains', value: 'x' }] }
      await expert().post('/mail_folder_rule', { MailFolderRule: rule })
      expect((await remove()).body).toEqual(done)
      await untilWaiting(service.database, 1)
      expect((await expert().get(`/mail_folder/${custom}`)).status).toBe(404)
      expect((await remove()).status).toBe(404)
      expect(await names()).not.toContain('A folder')
      expect((await expert().get('/mail_folder_rule')).body).toEqual([])
      expect((await published()).at(-1)).toMatchObject({ removed: true })
      const { counts } = await snapshot.call<{ counts: { folder_id: string; removed: boolean }[] }>('listFolderCounts', {})
      expect(counts.filter(({ folder_id }) => folder_id === String(custom))).toMatchObject([{ removed: true }])
      await released()
    })

    it('takes no more messages', async () => {
      const other = await storeOne(engine, box, 'OTHERS')
      await remove()
      expect((await put(other, { mail_folder_id: Number(custom) })).body).toMatchObject({
        errorMessages: { mail_folder_id: expect.any(String) },
      })
      const arrived = await storeOne(engine, box, customFolder(custom))
      expect(await get(arrived)).toMatchObject({ folder_name: 'OTHERS' })
      await held.commit()
      await eventually(async () => expect(await counts()).toEqual({ [`${here.expert.userId} OTHERS 0`]: further + 3 }))
    })

    it('is named by nothing new', async () => {
      const trashed = await storeOne(engine, box, customFolder(custom))
      await expert().delete(`${path}/${trashed}`)
      await remove()
      const rule = { name: 'A rule', mail_folder_id: Number(custom), conditions: [{ field: 'from', operator: 'contains', value: 'x' }] }
      expect((await expert().post('/mail_folder_rule', { MailFolderRule: rule })).status).toBe(400)
      expect((await expert().post('/mail_folder', { MailFolder: { name: 'Inner', parent_id: Number(custom) } })).status).toBe(400)
      expect((await expert().put(`/mail_folder/${custom}`, { MailFolder: { name: 'x' } })).status).toBe(404)
      expect((await expert().post(`${path}/${trashed}/restore`)).body).toEqual(done)
      expect(await get(trashed)).toMatchObject({ folder_name: 'OTHERS' })
      await held.commit()
      await eventually(async () => expect(await counts()).toEqual({ [`${here.expert.userId} OTHERS 0`]: further + 2 }))
    })

    it('does not keep the folder around it', async () => {
      const outer = await folder({ name: 'Outer' })
      await expert().put(`/mail_folder/${custom}`, { MailFolder: { parent_id: Number(outer) } })
      expect((await remove(outer)).status).toBe(409)
      await remove()
      expect((await remove(outer)).body).toEqual(done)
      await released()
    })

    it('still shows and changes its messages, which are counted', async () => {
      await remove()
      const [last] = (await expert().get<{ MailReceivedMysqlMessage: { id: string } }[]>(`${path}?sort=-id&limit=1`)).body
      const id = BigInt(last?.MailReceivedMysqlMessage.id ?? 0)
      expect((await put(id, { is_read: 1 })).body).toEqual(done)
      expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: further })
      expect((await published()).at(-1)).toMatchObject({ count: further, removed: true })
      await held.commit()
      await eventually(async () => expect(await counts()).toEqual({ [`${here.expert.userId} OTHERS 0`]: further }))
    })
  })
})

it.each([500, 501, 1_000])('of %d messages in a deleted folder none is left behind', async (messages) => {
  custom = await folder()
  first = await storeOne(engine, box, customFolder(custom))
  await addCopies(messages - 1)
  expect((await remove()).body).toEqual(done)
  await eventually(async () => expect(await service.database.rows('SELECT FROM mail_folders WHERE id = $1', [custom])).toEqual([]))
  expect(await service.database.rows('SELECT FROM mail_received_messages WHERE mail_folder_id = $1', [custom])).toEqual([])
})

it('somebody else, or of another office, does not find a folder of one person, large as it is', async () => {
  for (const http of [service.asExpert(here.specialist), service.asExpert(officeWithMail(service).expert)])
    expect((await http.delete(`/mail_folder/${custom}`)).status).toBe(404)
  expect((await expert().get(`/mail_folder/${custom}`)).status).toBe(200)
})

it('of deletions at once one succeeds, and its job is the only one', async () => {
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => remove()))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([200, 404]))
  const jobs = `SELECT FROM kit.job WHERE name = 'folder-emptying' AND payload ->> 'folderId' = $1`
  expect(await service.database.rows(jobs, [String(custom)])).toHaveLength(1)
  await emptied()
})
