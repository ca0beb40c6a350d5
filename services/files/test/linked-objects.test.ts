import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic, messageTopic } from '@caseway/protos/topics'
import { recordsOf } from '@caseway/testing/publish'
import { expect, it } from '@jest/globals'
import { changedMessages, linkedObjects } from '../src/common-file-objects/linked-objects.consumer.js'

function followedCases() {
  const followed: [bigint, bigint][] = []
  const { consumer } = linkedObjects({
    async *pages() {},
    forget: async () => undefined,
    refresh: async () => undefined,
    followCase: async (...issue) => void followed.push(issue),
  })
  return { followed, consumer }
}

const recordOf = (issueId: bigint, change: IssueEvent['change']) => ({
  ...{ id: String(issueId), topic: issueTopic.name, key: '1', time: new Date(), headers: {} },
  payload: issueTopic.message.encode(IssueEvent.fromPartial({ customerId: 1n, issueId, change })).finish(),
})

const [opened, changed, deleted] = [
  { $case: 'opened', value: {} },
  { $case: 'changed', value: {} },
  { $case: 'deleted', value: {} },
] as const

it('the links of a case are refreshed when the case changes, and not when it is opened', async () => {
  const { followed, consumer } = followedCases()
  for (const event of [recordOf(1n, opened), recordOf(2n, changed), recordOf(3n, deleted)]) await consumer.handle(event)
  expect(followed).toEqual([
    [1n, 2n],
    [1n, 3n],
  ])
})

it('the links of a case are refreshed once for several of its events', async () => {
  const { followed, consumer } = followedCases()
  await consumer.handleBatch?.([recordOf(1n, opened), recordOf(1n, changed), recordOf(2n, changed), recordOf(1n, deleted)])
  expect(followed).toEqual([
    [1n, 1n],
    [1n, 2n],
  ])
})

it('the links of messages are refreshed together for each office', async () => {
  const followed: unknown[] = []
  const consumer = changedMessages({ follow: async (...objects) => void followed.push(objects) })
  const event = { customerId: 1n, userId: 0n, receivedIds: [], sentIds: [] }
  await consumer.handleBatch?.(
    recordsOf(messageTopic, [
      { ...event, receivedIds: [1n] },
      { ...event, sentIds: [2n] },
      { ...event, customerId: 7n, sentIds: [3n] },
      { ...event, sentIds: [4n], receivedIds: [5n, 6n] },
    ]),
  )
  expect(followed).toEqual([
    [1n, { objectName: 'MailReceivedMysqlMessage', objectIds: [1n, 5n, 6n] }],
    [1n, { objectName: 'MailSentMysqlMessage', objectIds: [2n, 4n] }],
    [7n, { objectName: 'MailReceivedMysqlMessage', objectIds: [] }],
    [7n, { objectName: 'MailSentMysqlMessage', objectIds: [3n] }],
  ])
})
