import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic } from '@caseway/protos/topics'
import { expect, it } from '@jest/globals'
import { linkedObjects } from '../src/common-file-objects/linked-objects.consumer.js'

it('the links of a case are read again when it changes, and not when it is opened', async () => {
  const followed: [bigint, bigint][] = []
  const { consumer } = linkedObjects({
    async *pages() {},
    forget: async () => undefined,
    refresh: async () => undefined,
    followCase: async (...issue) => void followed.push(issue),
  })
  const deliver = (issueId: bigint, change: IssueEvent['change']) =>
    consumer.handle({
      ...{ id: String(issueId), topic: issueTopic.name, key: '1', time: new Date(), headers: {} },
      payload: issueTopic.message.encode(IssueEvent.fromPartial({ customerId: 1n, issueId, change })).finish(),
    })

  await deliver(1n, { $case: 'opened', value: {} })
  await deliver(2n, { $case: 'changed', value: {} })
  await deliver(3n, { $case: 'deleted', value: {} })
  expect(followed).toEqual([
    [1n, 2n],
    [1n, 3n],
  ])
})
