import { folderCountTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { holdTransaction, meetAt, untilWaiting } from '@caseway/testing/held-transaction'
import { testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer } from '../support/mail-servers.js'
import { countsOf, newMailbox, officeWithMail, type Receiver, receiver, storeOne } from '../support/mailbox.js'

const start = () => testService(mail, { variables: { MAIL_ROLES: 'http' } })
let service: Awaited<ReturnType<typeof start>>
let engine: Receiver
beforeAll(async () => {
  service = await start()
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
})

let here: TestTenant
beforeEach(async () => {
  here = officeWithMail(service)
  const http = service.asExpert(here.expert)
  const folder = async (fields: object) => BigInt((await http.post<{ id: number }>('/mail_folder', { MailFolder: fields })).body.id)
  const [own, shared] = [await folder({ name: 'Own' }), await folder({ name: 'Shared', is_global: '1' })]
  const box = await newMailbox(engine, here, here.expert.userId)
  for (const name of ['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS', 'DRAFTS', 'SENT', 'TRASH'] as const)
    for (const seen of [false, true]) await storeOne(engine, box, name, { seen })
  for (const custom of [own, shared]) await storeOne(engine, box, { system: null, custom })
  const mail_server_id = await createMailServer(http, { server_protocol: 1, server_port: 465 })
  await http.post('/mail_sent_mysql_message', { MailSentMysqlMessage: { mail_server_id, status: 4 } })
  const removed = await storeOne(engine, box, 'TRASH')
  await http.delete(`/mail_received_mysql_message/${removed}`)
})

const recount = (repair: boolean) => service.service.administration.recount(here.customerId, { repair })
const counts = 'FROM folder_counts WHERE customer_id = $1'

it('finds nothing where every count is right', async () => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  expect(Object.keys(kept)).toHaveLength(8)
  expect(await recount(false)).toEqual([])
})

it('finds counts that are too low or too high, and changes nothing without `repair`', async () => {
  await service.database.rows(`UPDATE folder_counts SET count = count + 3 WHERE customer_id = $1 AND folder IN ('OTHERS', 'CUSTOM')`, [
    here.customerId,
  ])
  await service.database.rows(`DELETE ${counts} AND folder = 'DRAFTS'`, [here.customerId])
  const missing = await recount(false)
  expect(missing.map(({ folder, by }) => `${folder} ${by}`).sort()).toEqual(['CUSTOM -3', 'CUSTOM -3', 'DRAFTS 3', 'OTHERS -3'])
  expect(await recount(false)).toEqual(missing)
})

it('repairs and publishes counts', async () => {
  await service.database.rows(`UPDATE folder_counts SET count = 7 WHERE customer_id = $1`, [here.customerId])
  expect(await recount(true)).toHaveLength(8)
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  const countEvents = (await service.published(folderCountTopic))
    .map(({ event }) => event)
    .filter((event) => event.customerId === here.customerId)
  expect(new Set(countEvents.slice(-8).map(({ count }) => count))).toEqual(new Set([1, 3]))
})

it('repairs once when two recounts run at the same time', async () => {
  await service.database.rows(`UPDATE folder_counts SET count = count - 2 WHERE customer_id = $1`, [here.customerId])
  const lock = { sql: `SELECT FROM folder_counts WHERE customer_id = $1 FOR UPDATE`, values: [here.customerId] }
  const [first, second] = await meetAt(service.database, lock, [() => recount(true), () => recount(true)])
  expect([first?.length, second?.length].sort()).toEqual([0, 8])
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
})

it('creates no counts for system folders', async () => {
  const { body } = await service.asExpert(here.expert).get<{ MailFolder: { system_name: string | null } }[]>('/mail_folder')
  expect(body.filter(({ MailFolder }) => MailFolder.system_name !== null)).toHaveLength(8)
  expect(await recount(true)).toEqual([])
})

describe('custom folders', () => {
  const customCounts = () =>
    service.database.rows<{ folder_id: string; count: number }>(
      `SELECT folder_id, count ${counts} AND folder = 'CUSTOM' ORDER BY folder_id`,
      [here.customerId],
    )

  it('without a count are found, and get one', async () => {
    const { body } = await service.asExpert(here.expert).post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Empty' } })
    const before = await customCounts()
    await service.database.rows(`DELETE ${counts} AND folder = 'CUSTOM'`, [here.customerId])
    const found = await recount(true)
    expect(found.map(({ folder, by }) => `${folder} ${by}`).sort()).toEqual(['CUSTOM 0', 'CUSTOM 1', 'CUSTOM 1'])
    expect(await customCounts()).toEqual(before)
    expect(before).toContainEqual({ folder_id: String(body.id), count: 0 })
    expect(await recount(false)).toEqual([])
  })

  it('whose count a concurrent message creates are counted once', async () => {
    const { body } = await service.asExpert(here.expert).post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Empty' } })
    const ofFolder = [here.customerId, body.id]
    await service.database.rows(`DELETE ${counts} AND folder_id = $2`, ofFolder)
    const { userId } = here.expert
    const arrival = await holdTransaction(
      service.database,
      `INSERT INTO folder_counts (customer_id, user_id, folder, folder_id, count, revision) VALUES ($1, $3, 'CUSTOM', $2, 1, 1)`,
      [...ofFolder, userId],
    )
    const repairing = recount(true)
    await untilWaiting(service.database, 1)
    await arrival.commit()
    expect(await repairing).toMatchObject([{ folder: 'CUSTOM', folderId: BigInt(body.id), by: 0 }])
    expect(await service.database.rows(`SELECT count ${counts} AND folder_id = $2`, ofFolder)).toEqual([{ count: 1 }])
  })

  it.each([0, 4])('that were deleted lose their count, even if it was %i', async (count) => {
    const before = await customCounts()
    await service.database.rows(
      `INSERT INTO folder_counts (customer_id, user_id, folder, folder_id, count, revision) VALUES ($1, 0, 'CUSTOM', 999999, $2, 1)`,
      [here.customerId, count],
    )
    expect(await recount(true)).toMatchObject([{ folder: 'CUSTOM', folderId: 999_999n, by: 0 - count }])
    expect(await customCounts()).toEqual(before)
    const countEvents = (await service.published(folderCountTopic)).map(({ event }) => event)
    expect(countEvents.filter((event) => event.customerId === here.customerId).at(-1)).toMatchObject({ folderId: 999_999n, removed: true })
  })
})
