import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createTopics, kafkaConnection } from '@caseway/kit/events'
import { afterAll, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { broker, transportTo } from './support.js'

const mib = 2 ** 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** The bytes of all buffers in use. */
const bufferedBytes = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

const transport = transportTo(broker)
afterAll(() => transport.stop())

it('a backlog of many megabytes is fetched in parts of about one', async () => {
  const topic = `backlog.${randomUUID()}.v1`
  await createTopics(kafkaConnection({ ...broker, clientId: 'backlog', log }), [topic])
  const payload = new Uint8Array(mib / 32)
  for (let part = 0n; part < 16n; part++)
    await transport.publish(
      Array.from({ length: 16 }, (_, one) => ({ ...recordOf(userEvent(1n, { customerId: part * 16n + BigInt(one) }), topic), payload })),
    )
  const before = bufferedBytes()
  const grown = Promise.withResolvers<number>()
  const handle = async () => grown.resolve(bufferedBytes() - before)
  await transport.subscribe({ group: `group-${randomUUID()}`, topics: [topic], handle })
  expect(await grown.promise).toBeLessThan(2 * mib)
})
