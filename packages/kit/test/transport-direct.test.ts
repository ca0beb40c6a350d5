import { setImmediate as immediately } from 'node:timers/promises'
import { createDirectTransport } from '@caseway/kit/events'
import { describe, expect, it } from '@jest/globals'
import { recordOf, userEvent, userTopic } from './support/people.js'
import { transportContract } from './transport-contract.js'

transportContract('the direct transport', async () => createDirectTransport({ graceMs: 50 }))

const topics = [userTopic.name]
const never = () => new Promise<never>(() => {})

describe('the direct transport', () => {
  it('resolves `publish` when every group has handled the record', async () => {
    const transport = createDirectTransport()
    const leave = Promise.withResolvers<void>()
    const steps: string[] = []
    await transport.subscribe({
      group: 'slow',
      topics,
      async handle() {
        await leave.promise
        steps.push('taken')
      },
    })
    const published = transport.publish([recordOf(userEvent(1n))]).then(() => steps.push('published'))
    leave.resolve()
    await published
    expect(steps).toEqual(['taken', 'published'])
  })

  it('with `held`, delays publications until it is opened, and rejects them when it is stopped', async () => {
    const transport = createDirectTransport({ held: true })
    const received: string[] = []
    const published = transport.publish([recordOf(userEvent(1n))])
    await transport.subscribe({ group: 'late', topics, handle: async ({ key }) => void received.push(key) })
    expect(received).toEqual([])
    transport.open()
    await published
    expect(received).toEqual(['7'])

    const stopped = createDirectTransport({ held: true })
    const waiting = stopped.publish([recordOf(userEvent(1n))])
    await Promise.all([stopped.stop(), expect(waiting).rejects.toThrow('The transport was stopped.')])
  })

  it('rejects `publish` while a group has no members, but only if it has subscribed before', async () => {
    const transport = createDirectTransport()
    await transport.publish([recordOf(userEvent(1n))])
    const subscription = await transport.subscribe({ group: 'once', topics, handle: async () => undefined })
    await subscription.stop()
    await expect(transport.publish([recordOf(userEvent(1n))])).rejects.toThrow('The group once has no member that handles events.')
  })

  it('stops although a handler hangs, and rejects the publication of its record', async () => {
    const transport = createDirectTransport({ graceMs: 20 })
    const begun = Promise.withResolvers<void>()
    await transport.subscribe({
      group: 'hanging',
      topics,
      handle: () => {
        begun.resolve()
        return never()
      },
    })
    const published = transport.publish([recordOf(userEvent(1n))])
    await begun.promise
    await Promise.all([transport.stop(), expect(published).rejects.toThrow('The subscription was stopped.')])
    await expect(transport.publish([recordOf(userEvent(1n))])).rejects.toThrow('The transport was stopped.')
  })

  it('waits for running handlers when a subscription is stopped', async () => {
    const transport = createDirectTransport()
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const steps: string[] = []
    const handle = async () => {
      begun.resolve()
      await leave.promise
      steps.push('handled')
    }
    const subscription = await transport.subscribe({ group: 'working', topics, handle })
    const published = transport.publish([recordOf(userEvent(1n))])
    await begun.promise
    const stopped = subscription.stop().then(() => steps.push('stopped'))
    // A stop that did not wait would have resolved by now.
    await immediately()
    leave.resolve()
    await Promise.all([stopped, published])
    expect(steps).toEqual(['handled', 'stopped'])
  })

  it('does not wait for handlers of a broadcast', async () => {
    const transport = createDirectTransport({ graceMs: 20 })
    const subscription = await transport.subscribe({ group: 'hanging', topics, handle: never, broadcast: true })
    await transport.publish([recordOf(userEvent(1n)), recordOf(userEvent(2n))])
    await subscription.stop()
    await transport.publish([recordOf(userEvent(3n))])
  })
})
