import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { createLog } from '../../observability/index.js'
import { persist } from './persistence.js'

const forever = new Promise<never>(() => undefined)
const log = createLog({ service: 'test', level: 'silent' })

it('a subscription is not receiving before it has joined, nor while the broker does not answer', async () => {
  const broker = { answers: false, silent: false }
  const part = persist(async () => {
    if (!broker.answers) throw new Error('away')
    return { silent: () => false, receiving: () => !broker.silent, ended: forever, stop: async () => undefined }
  }, log)
  expect(part.receiving()).toBe(false)
  broker.answers = true
  await part.joined
  await eventually(() => expect(part.receiving()).toBe(true))
  broker.silent = true
  expect(part.receiving()).toBe(false)
  await part.stop()
})

it('a subscription that has ended by itself is stopped, and started again', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>()
  const steps: string[] = []
  const part = persist(async () => {
    const isFirst = steps.push('begun') === 1
    const stop = async () => {
      steps.push('stopped')
      // The connection of a consumer that has crashed may be lost.
      if (isFirst) throw new Error('not connected')
    }
    return { silent: () => false, receiving: () => true, ended: isFirst ? ended : forever, stop }
  }, log)
  await part.joined
  end(new Error('given up'))
  await eventually(() => expect(steps).toEqual(['begun', 'stopped', 'begun']))
  await eventually(() => expect(part.receiving()).toBe(true))
  await part.stop()
  expect(steps).toEqual(['begun', 'stopped', 'begun', 'stopped'])
})
