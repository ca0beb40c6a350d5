import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createHttpServer, type Routes } from '@caseway/kit/http'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { describe, expect, it } from '@jest/globals'
import { partsOf, sendRaw } from './support/raw.js'
import { serve } from './support/served.js'

async function connected(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Resolves when the socket is closed, also by a reset. */
const endOf = (socket: Socket) => new Promise<unknown>((ended) => socket.once('close', ended))

/** Whether the port accepts connections. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return opened
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

describe('a server that is not ready', () => {
  it('answers each request with `Connection: close`', async () => {
    let wants = true
    const leaving = await serve({ ready: () => wants })
    const connectionOf = async () => (await fetch(`${leaving.url}/healthz`)).headers.get('connection')
    expect(await connectionOf()).toBe('keep-alive')
    wants = false
    expect(await connectionOf()).toBe('close')
    await leaving.stop()
  })
})

describe('a server that closes', () => {
  it('does not wait for a connection without a request', async () => {
    const closing = await serve({})
    const socket = await connected(closing.port)
    const ended = endOf(socket)
    await closing.stop()
    await ended
  })

  it('does not wait for a connection with an incomplete request', async () => {
    const closing = await serve({})
    const socket = await connected(closing.port)
    const ended = endOf(socket)
    socket.write('GET /healthz HTTP/1.1\r\nhos')
    await closing.stop()
    await ended
  })

  it('does not wait for a connection that is kept alive after its answer', async () => {
    const closing = await serve({})
    const socket = await connected(closing.port)
    socket.write(get('/healthz'))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: keep-alive\r\n/i)
    const ended = endOf(socket)
    await closing.stop()
    await ended
  })

  it('does not wait for a connection that is opened while it closes', async () => {
    let port = 0
    const late: Socket[] = []
    const comeLate: Routes = (app) => {
      app.addHook('preClose', async () => void late.push(await connected(port)))
    }
    const closing = await serve({ unprotected: [comeLate] })
    port = closing.port
    await closing.stop()
    expect(late).toHaveLength(1)
    await eventually(() => expect(late[0]?.closed).toBe(true))
  })

  it('answers requests on connections that were opened before and while it closes, even if it is busy', async () => {
    const app = createHttpServer({ realm: 'notes', log: createLog({ service: 'notes', level: 'silent' }), metrics: createMetrics('notes') })
    // Longer than the grace period of a connection without a request.
    app.get('/note', () => pause(300, { status: 'OK' }))
    const sockets: Socket[] = []
    const come = async () => {
      const { port } = app.server.address() as AddressInfo
      sockets.push(...(await Promise.all(Array.from({ length: 20 }, () => connected(port)))))
    }
    app.addHook('preClose', come)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    await come()
    const closed = app.close()
    await eventually(async () => expect(await isOpen(port)).toBe(false))
    expect(sockets).toHaveLength(40)
    for (const socket of sockets) socket.write(get('/note'))
    // Blocks the event loop for longer than that grace period.
    const heldUntil = performance.now() + 200
    while (performance.now() < heldUntil);
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')))
    for (const [answer] of answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i)
    await closed
  })

  it('answers the running request with `Connection: close`', async () => {
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const slow: Routes = (app) => {
      app.get('/slow', async () => {
        begun.resolve()
        await leave.promise
        return { status: 'OK' }
      })
    }
    const closing = await serve({ unprotected: [slow] })
    const answer = sendRaw(closing.port, get('/slow'))
    await begun.promise
    const stopped = closing.stop()
    await eventually(async () => expect(await isOpen(closing.port)).toBe(false))
    leave.resolve()
    expect(partsOf(await answer)).toEqual({ status: 200, body: { status: 'OK' } })
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i)
    await stopped
  })

  it('finishes an answer that has begun without `Connection: close`, and closes the connection after it', async () => {
    const body = new PassThrough()
    const closing = await serve({ unprotected: [(app) => void app.get('/long', async () => body)] })
    body.write('first')
    const answer = sendRaw(closing.port, get('/long'))
    await eventually(() => expect(body.readableLength).toBe(0))
    const stopped = closing.stop()
    await eventually(async () => expect(await isOpen(closing.port)).toBe(false))
    body.end('last')
    expect(await answer).toMatch(/\r\nconnection: keep-alive\r\n[\s\S]*first[\s\S]*last\r\n0\r\n\r\n$/i)
    await stopped
  })
})
