import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { maxNotifications } from '../../src/feed/feed.js'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

const seen = { Notification: { status: 'seen' } }

it('a stream sends the notifications of its reader only, as GET shows them', async () => {
  const office = cases.office()
  const [expert, specialist] = [cases.asExpert(office.expert), cases.asExpert(office.specialist)]
  const [own, colleagues] = [await connect(office.specialist), await connect(office.trainee)]
  await next(own, 'counter')
  await next(colleagues, 'counter')
  const id = await openIssue(expert, { user_id: String(office.specialist.userId) })
  const notification = await next(own, 'notification')
  expect(notification).toMatchObject({ Notification: { type: 'issue_assigned', issue_id: String(id), status: 'new' } })
  expect((await specialist.get('/notification')).body).toEqual([notification])
  await specialist.put(`/notification/${notification.Notification.id}`, seen)
  expect(await next(own, 'notification')).toMatchObject({ Notification: { id: notification.Notification.id, status: 'seen' } })
  // A later event, after which everything before has been delivered.
  const last = await openIssue(expert)
  await next(colleagues, 'issue', ({ Issue }) => Issue.id === String(last))
  expect(colleagues.events.filter(({ event }) => event === 'notification')).toEqual([])
})

it('all notifications that are marked as seen at once are sent, except those seen before', async () => {
  const office = cases.office()
  const [expert, specialist] = [cases.asExpert(office.expert), cases.asExpert(office.specialist)]
  for (let i = 0; i < 3; i++) await openIssue(expert, { user_id: String(office.specialist.userId) })
  const [newest] = (await specialist.get<{ Notification: { id: string } }[]>('/notification')).body
  await specialist.put(`/notification/${newest?.Notification.id}`, seen)
  const stream = await connect(office.specialist)
  await next(stream, 'counter')
  await specialist.put('/notification', seen)
  for (const _ of [1, 2]) expect(await next(stream, 'notification')).toMatchObject({ Notification: { status: 'seen' } })
  await specialist.put('/notification', seen)
  const last = await openIssue(expert)
  await next(stream, 'issue', ({ Issue }) => Issue.id === String(last))
  expect(stream.events.filter(({ event }) => event === 'notification')).toHaveLength(2)
})

it('notifications of a deleted case are sent as seen', async () => {
  const office = cases.office()
  const expert = cases.asExpert(office.expert)
  const id = await openIssue(expert, { user_id: String(office.specialist.userId) })
  const stream = await connect(office.specialist)
  await next(stream, 'counter')
  await expert.delete(`/issue/${id}`)
  expect(await next(stream, 'notification')).toMatchObject({ Notification: { issue_id: String(id), status: 'seen' } })
})

it('missed notifications are sent on resuming, or a reset if they are too many', async () => {
  const office = cases.office()
  const [expert, specialist] = [cases.asExpert(office.expert), cases.asExpert(office.specialist)]
  const first = await connect(office.specialist)
  await next(first, 'counter')
  await first.close()
  const lastEventId = first.events.findLast(({ id }) => id !== undefined)?.id ?? ''
  await openIssue(expert, { user_id: String(office.specialist.userId) })
  const second = await connect(office.specialist, 'expert', { lastEventId })
  expect(await next(second, 'notification')).toMatchObject({ Notification: { status: 'new' } })
  await second.close()
  await cases.database.rows(
    `INSERT INTO notifications (customer_id, user_id, type, object_id, object_version)
     SELECT $1, $2, 'issue_assigned', n, 0 FROM generate_series(1, $3::int) n`,
    [office.customerId, office.specialist.userId, maxNotifications],
  )
  await specialist.put('/notification', seen)
  const third = await connect(office.specialist, 'expert', { lastEventId })
  await next(third, 'reset')
  await next(third, 'counter')
  expect(third.events.map(({ event }) => event)).toEqual(['reset', 'counter'])
})
