import { of } from './of.mjs'

const erasure = 'packages/kit/test/office-data/office-erasure.test.ts'
const rows = 'packages/kit/test/office-data/exported-rows.test.ts'
const copies = 'packages/people/test/offices.test.ts'
const closed = 'services/auth/test/closed-office.test.ts'

/** What becomes of an office that leaves. */
export default [
  ...of('packages/kit/src/office-data/office-erasure.ts', erasure, [
    ['found !== 0; deleted', 'found < 0; deleted', 'deletes what they have made of it'],
    ['topicRetentionMs + day', 'day', 'is repeated when the topics have no events'],
    ['key = $1::text AND topic', "key = $1::text OR 'x' || topic", 'deletes its jobs and the dead letters of its topics'],
    ["{ table: 'kit.job', where: 'customer_id = $1' },", '', 'deletes its jobs and the dead letters of its topics'],
  ]),
  ...of('packages/kit/src/office-data/office-rows.ts', erasure, [
    ['if (conditions.length === 0) throw', 'if (conditions.length < 0) throw', 'does not say whose its rows are'],
  ]),
  ...of('packages/kit/src/office-data/exported-rows.ts', rows, [
    ['(to_jsonb(t) - $1::text[])', '(to_jsonb(t) - ($1::text[])[:0])', 'have no secret columns'],
    ['db.query(office(customerId)', 'db.query(platform', 'that row-level security shows to the office'],
    ['array_position(indkey, attnum)', 'attnum', 'by a primary key of several columns'],
    ["kind === 'office' || kind === 'readable'", "kind !== 'secret'", 'are those of which an office reads rows'],
  ]),
  ...of('packages/people/src/offices.ts', copies, [
    ['event.deleted ? erase(event) :', 'false ? erase(event) :', 'is erased, now and once more later'],
    ['event.deleted && (await exists(event.id))', 'event.deleted', 'one that was never known is not'],
    ['if (event.deleted && (await', 'if (!event.deleted && (await', 'whose deletion was missed is erased'],
  ]),
  ...of('services/auth/src/accounts/account.repository.ts', closed, [
    ['AND deletes_at IS NULL FOR SHARE', 'FOR SHARE', 'lets nobody in who had begun before'],
  ]),
  ...of('services/auth/src/customers/customer.service.ts', closed, [['await sessions.endOfOffice(id)', '', 'ends their sessions']]),
]
