import { type GrpcClient, grpcClient } from '@caseway/testing'
import { testService } from '@caseway/testing/service'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { officeWithMail } from '../support/mailbox.js'

const start = () => testService(mail, { variables: { MAIL_ROLES: 'http' } })
let service: Awaited<ReturnType<typeof start>>
let snapshot: GrpcClient
beforeAll(async () => {
  service = await start()
  snapshot = grpcClient(service.service.grpcAddress ?? '', 'caseway.mail.v1.SnapshotService')
})
afterAll(async () => {
  snapshot.close()
  await service.stop()
})

const counts = async (request: object) => (await snapshot.call<{ counts: object[] }>('listFolderCounts', request)).counts

it('contains the counts of all offices, in pages after a count', async () => {
  const [here, there] = [officeWithMail(service), officeWithMail(service)]
  const kept = [here, there].flatMap(({ customerId, expert: { userId } }) =>
    [
      ['0', 'CLIENTS', '0', 4],
      ['0', 'CUSTOM', '11', 0],
      ['0', 'CUSTOM', '12', 5],
      [String(userId), 'DRAFTS', '0', 2],
      [String(userId), 'OTHERS', '0', 1],
    ].map(([user_id, folder, folder_id, count]) => ({ customer_id: String(customerId), user_id, folder, folder_id, count, revision: '7' })),
  )
  for (const row of kept)
    await service.database.rows('INSERT INTO folder_counts SELECT * FROM json_populate_record(NULL::folder_counts, $1)', [row])
  const expected = kept.map((row) => ({ ...row, folder: `FOLDER_${row.folder}`, removed: false }))
  const shown = (all: readonly object[]) => [...all].sort((a, b) => Number(JSON.stringify(a) > JSON.stringify(b)) - 0.5)

  expect(shown(await counts({}))).toEqual(shown(expected))
  const paged: object[] = []
  for (let page = await counts({ limit: 3 }); page.length > 0; page = await counts({ limit: 3, after: paged.at(-1) })) paged.push(...page)
  expect(paged).toEqual(await counts({}))
})
