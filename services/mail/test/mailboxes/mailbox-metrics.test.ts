import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { newMailbox, type Receiver, receiver } from '../support/mailbox.js'

let service: TestService
let engine: Receiver
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
})
beforeEach(() => service.database.rows('DELETE FROM mail_servers'))

/** A mailbox with these columns, in SQL. */
async function mailbox(columns: string) {
  const office = service.office()
  const { id } = await newMailbox(engine, office, office.expert.userId)
  await service.database.rows(`ALTER TABLE mail_servers DISABLE TRIGGER USER`)
  await service.database.rows(`UPDATE mail_servers SET ${columns} WHERE id = ${id}`)
  await service.database.rows(`ALTER TABLE mail_servers ENABLE TRIGGER USER`)
}
async function figures(name: string, label = 'state') {
  const read = await service.metrics.registry.getSingleMetric(name)?.get()
  return Object.fromEntries((read?.values ?? []).map(({ labels, value }) => [labels[label], value]))
}
const none = { active: 0, failing: 0, auth_failed: 0, config_error: 0, paused: 0 }

it('mailboxes are counted by state; those that send are not', async () => {
  expect(await figures('mail_mailboxes')).toEqual(none)
  await mailbox('failures = 0')
  await mailbox('server_protocol = 3')
  await mailbox("failures = 2, last_error = 'dns'")
  await mailbox("state = 'auth_failed', failures = 5")
  await mailbox("state = 'paused'")
  await mailbox('server_protocol = 1')
  expect(await figures('mail_mailboxes')).toEqual({ ...none, active: 2, failing: 1, auth_failed: 1, paused: 1 })
})

it('the oldest complete run is shown for active mailboxes, and for failing ones', async () => {
  expect(await figures('mail_oldest_sync_seconds')).toEqual({ active: 0, failing: 0 })
  const ago = (hours: number) => `now() - interval '${hours} hours'`
  await mailbox(`last_fetch_at = ${ago(1)}, modified = ${ago(9)}`)
  // Resumed two hours ago and not received since: its age counts from then.
  await mailbox(`last_fetch_at = NULL, created = ${ago(9)}, modified = ${ago(2)}`)
  await mailbox(`failures = 1, last_fetch_at = ${ago(3)}, modified = now()`)
  await mailbox(`failures = 1, last_fetch_at = NULL, created = ${ago(4)}, modified = now()`)
  await mailbox(`state = 'paused', last_fetch_at = ${ago(99)}`)
  const { active, failing } = await figures('mail_oldest_sync_seconds')
  expect([Math.round(Number(active) / 360), Math.round(Number(failing) / 360)]).toEqual([20, 40])
})

it('messages that could not be fetched or stored are counted', async () => {
  expect(await figures('mail_ingest_failures', 'error')).toEqual({ fetch: 0, store: 0 })
  const office = service.office()
  const { id, remoteFolderId } = await newMailbox(engine, office, office.expert.userId)
  await service.database.rows(
    `INSERT INTO ingest_failures (customer_id, mail_server_id, remote_folder_id, epoch, uid, error, next_try)
     SELECT ${office.customerId}, ${id}, ${remoteFolderId}, 1, uid, CASE uid WHEN 1 THEN 'fetch' ELSE 'store' END, now() FROM unnest(ARRAY[1, 2, 3]) AS uid`,
  )
  expect(await figures('mail_ingest_failures', 'error')).toEqual({ fetch: 1, store: 2 })
})
