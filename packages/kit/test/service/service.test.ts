import { Readable } from 'node:stream'
import { consumer, createDirectTransport } from '@caseway/kit/events'
import { scheduledJob } from '@caseway/kit/jobs'
import { defineService, serviceConfig, type Wired } from '@caseway/kit/service'
import { KeySet } from '@caseway/kit/tokens'
import { eventually, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { userTopic } from '../support/people.js'
import { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

const config = serviceConfig('note-keeper', { asks: ['auth'] })
const closed = 'ipv4:127.0.0.1:1'

const env = () => ({
  NOTE_KEEPER_DATABASE_URL: notes.url,
  NOTE_KEEPER_HTTP_HOST: '127.0.0.1',
  NOTE_KEEPER_HTTP_PORT: '0',
  NOTE_KEEPER_READINESS_DELAY_MS: '0',
  EXPERT_URL: 'https://expert.example.test',
  CLIENT_URL: 'https://client.example.test',
  AUTH_GRPC_ADDRESS: closed,
  GRPC_INSECURE: 'true',
})

const least: Omit<Wired<null>, 'administration'> = {
  keys: new KeySet(),
  routes: { expert: [], client: [] },
  timeZoneOf: async () => 'Europe/Warsaw',
}

describe('a service', () => {
  it('starts HTTP after the parts that it needs, fills copies after the subscription, and stops in reverse order', async () => {
    const happened: string[] = []
    const note = (what: string) => async () => void happened.push(what)
    const direct = createDirectTransport()
    const transport = {
      ...direct,
      subscribe: async (...args: Parameters<typeof direct.subscribe>) => {
        happened.push(args[0].broadcast ? 'subscribed broadcasts' : 'subscribed')
        return direct.subscribe(...args)
      },
    }
    let stream: Readable | undefined
    const service = defineService({
      name: 'note-keeper',
      config,
      client: PrismaClient,
      tables: {},
      wire: ({ onClose }) => {
        onClose('client', note('client closed'))
        return {
          ...least,
          routes: {
            ...least.routes,
            unprotected: [
              (app) => {
                app.addHook('onListen', note('http listens'))
                app.addHook('onClose', note('http closed'))
                app.get('/stream', (_request, reply) => {
                  stream = new Readable({ read: () => undefined })
                  stream.push('begun')
                  return reply.send(stream)
                })
              },
            ],
          },
          parts: [{ name: 'part', start: note('part starts'), stop: note('part stops') }],
          streams: {
            start: note('streams start'),
            endSession: () => undefined,
            async stop() {
              happened.push('streams stop')
              stream?.push(null)
            },
          },
          jobs: [
            scheduledJob('task', { every: 60_000 }, async ({ signal }) => {
              happened.push('job runs')
              await new Promise((resolve) => signal.addEventListener('abort', resolve))
              happened.push('job over')
            }),
          ],
          copies: [
            {
              name: 'service-test',
              consumer: consumer(userTopic, async () => undefined),
              async *pages() {
                happened.push('copy filled')
                yield* []
              },
              store: async () => undefined,
              forget: async () => undefined,
            },
          ],
          administration: null,
        }
      },
    })
    const running = await service.start(env(), { transport, log })
    expect((await httpClient(running.httpUrl).get('/readyz')).status).toBe(200)
    await eventually(() => expect(happened).toEqual(expect.arrayContaining(['copy filled', 'job runs'])))
    const order = ['part starts', 'subscribed broadcasts', 'streams start', 'http listens', 'subscribed', 'copy filled']
    expect(happened.filter((what) => order.includes(what))).toEqual(order)

    const answer = await fetch(`${running.httpUrl}/stream`)
    happened.length = 0
    await running.stop()
    expect(await answer.text()).toBe('begun')
    expect([...new Set(happened)]).toEqual(['job over', 'streams stop', 'http closed', 'part stops', 'client closed'])
    await transport.stop()
  })

  it('closes opened parts when wiring fails', async () => {
    const happened: string[] = []
    const service = defineService({
      name: 'note-keeper',
      config,
      client: PrismaClient,
      tables: {},
      wire({ onClose }): Wired<null> {
        for (const what of ['one', 'other']) onClose(what, () => void happened.push(what))
        throw new Error('No.')
      },
    })
    await expect(service.start(env(), { transport: createDirectTransport(), log })).rejects.toThrow('No.')
    expect(happened).toEqual(['other', 'one'])
  })

  it('needs fewer variables without listeners, and calls no service without an address', async () => {
    const service = defineService({
      name: 'note-keeper',
      config,
      client: PrismaClient,
      tables: {},
      wire: ({ db, peer, sessions, config }) => ({
        ...least,
        parts: [{ name: 'part', start: () => Promise.reject(new Error('started')), stop: () => undefined }],
        administration: {
          count: () => db.read({ customerId: 1n }).note.count(),
          auth: peer('auth'),
          known: sessions.known(),
          zone: config.defaultTimeZone,
        },
      }),
    })
    const { administration, consumers, copies, close } = await service.open({ NOTE_KEEPER_DATABASE_URL: notes.url })
    expect(await administration.count()).toBe(0)
    expect(administration).toMatchObject({ auth: { address: closed, security: 'plaintext' }, known: false, zone: 'Europe/Warsaw' })
    expect([consumers, copies]).toEqual([[], []])
    await close()
    await expect(administration.count()).rejects.toThrow()
  })

  it('reports missing variables in sentences', async () => {
    const service = defineService({
      name: 'note-keeper',
      config,
      client: PrismaClient,
      tables: {},
      wire: () => ({ ...least, administration: null }),
    })
    await expect(service.start({}, { transport: createDirectTransport() })).rejects.toThrow('NOTE_KEEPER_DATABASE_URL is missing')
    await expect(service.open({ ...env(), GRPC_INSECURE: '' })).rejects.toThrow('GRPC_CERT_FILE, GRPC_KEY_FILE, GRPC_CA_FILE must be set')
  })
})
