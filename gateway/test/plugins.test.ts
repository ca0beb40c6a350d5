import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it } from '@jest/globals'
import type { FastifyInstance } from 'fastify'
import { startTestGateway } from './support/gateway.js'

/** The channel on which Fastify publishes each new instance (https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks). */
const channel = 'fastify.initialization'

it('each plugin of both addresses has a name, so that Fastify does not search all modules for one', async () => {
  const apps: FastifyInstance[] = []
  const keep = (message: unknown) => void apps.push((message as { fastify: FastifyInstance }).fastify)
  subscribe(channel, keep)
  const { stop } = await startTestGateway()
  unsubscribe(channel, keep)
  const plugins = apps.flatMap((app) => app.printPlugins().trim().split('\n'))
  await stop()
  expect(apps).toHaveLength(2)
  expect(plugins.filter((line) => line.includes('=>') || line.includes('function'))).toEqual([])
})
