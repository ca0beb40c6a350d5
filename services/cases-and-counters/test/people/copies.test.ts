import { setTimeout as pause } from 'node:timers/promises'
import type { Subscription } from '@caseway/kit/events'
import { userTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterEach, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
afterEach(() => cases.stop())

const revisionOf = async (id: bigint) => {
  const [row] = await cases.database.rows<{ revision: string }>('SELECT revision FROM users WHERE id = $1', [id])
  return row?.revision
}
const filled = () => cases.database.rows("SELECT FROM kit.copy_state WHERE name = 'users' AND stale_since IS NULL")

describe('the copies', () => {
  it('are filled after the subscription, so that events during the snapshot are not lost', async () => {
    const [id, customerId] = [randomId(), randomId()]
    const snapshotRequested = Promise.withResolvers<void>()
    const steps: string[] = []
    cases = await startCases({
      prepare: (auth) => {
        auth.users.push(user({ id, customerId, revision: 1n }))
        auth.onUsers = async () => {
          steps.push('asked')
          snapshotRequested.resolve()
          auth.onUsers = async () => undefined
          // The page is read: anything newer only comes as an event.
          await eventually(() => cases.publish(userTopic, user({ id, customerId, revision: 2n })))
        }
      },
      through: (transport) => ({
        ...transport,
        async subscribe(subscription) {
          // Long enough to notice a service that asks before it has subscribed.
          if (!subscription.broadcast) await Promise.race([snapshotRequested.promise, pause(1000)])
          steps.push(subscription.broadcast ? 'broadcast' : 'subscribed')
          return transport.subscribe(subscription)
        },
      }),
    })
    await eventually(async () => expect(await filled()).toHaveLength(1))
    expect(steps.filter((step) => step !== 'broadcast')).toEqual(['subscribed', 'asked'])
    expect(await revisionOf(id)).toBe('2')
  })

  it('are filled again when the transport has lost events', async () => {
    const [id, customerId] = [randomId(), randomId()]
    let onGap: Subscription['onGap']
    cases = await startCases({
      prepare: (auth) => void auth.users.push(user({ id, customerId, revision: 1n })),
      through: (transport) => ({
        ...transport,
        subscribe(subscription) {
          onGap ??= subscription.onGap
          return transport.subscribe(subscription)
        },
      }),
    })
    await eventually(async () => expect(await filled()).toHaveLength(1))
    cases.auth.users.splice(0, 1, user({ id, customerId, revision: 9n }))
    await onGap?.([userTopic.name])
    await eventually(async () => expect([await revisionOf(id), await filled()]).toEqual(['9', [{}]]))
  })
})
