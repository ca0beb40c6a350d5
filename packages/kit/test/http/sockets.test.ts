import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { partsOf, sendRaw } from './support/raw.js'
import { type Served, serve } from './support/served.js'

let served: Served
beforeAll(async () => {
  served = await serve({})
})
afterAll(() => served.stop())

describe('what is not HTTP', () => {
  it('is refused in the shape of every other error', async () => {
    const answer = await sendRaw(served.port, 'HELLO\r\n\r\n')
    expect(partsOf(answer)).toEqual({
      status: 400,
      body: { status: 'error', errorMessages: 'The request is not valid HTTP.', errorCode: 'BAD_REQUEST' },
    })
    expect(answer).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/)
  })

  it('or has a head without end is 431', async () => {
    const answer = await sendRaw(served.port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(partsOf(answer)).toMatchObject({ status: 431, body: { errorCode: 'HEADER_TOO_LARGE' } })
  })

  it('or does not come to an end is 408 after ten seconds', async () => {
    const startedAt = Date.now()
    const answer = await sendRaw(served.port, 'GET /healthz HTTP/1.1\r\nhost: a\r\n')
    expect(partsOf(answer)).toMatchObject({ status: 408, body: { errorCode: 'REQUEST_TIMEOUT' } })
    expect(Date.now() - startedAt).toBeLessThan(12_500)
  })
})

describe('a server that closes', () => {
  it('does not wait for connections on which nothing was asked', async () => {
    const closing = await serve({})
    const socket = connect({ host: '127.0.0.1', port: closing.port })
    await once(socket, 'connect')
    const ended = once(socket, 'close')
    await closing.stop()
    await ended
  })

  it('finishes the request that is under way, and tells its caller to go', async () => {
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const closing = await serve({
      unprotected: [
        (app) => {
          app.get('/slow', async () => {
            begun.resolve()
            await leave.promise
            return { status: 'OK' }
          })
        },
      ],
    })
    const answer = sendRaw(closing.port, 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
    await begun.promise
    const stopped = closing.stop()
    await eventually(async () => expect(connects(closing.port)).resolves.toBe(false))
    leave.resolve()
    expect(partsOf(await answer)).toEqual({ status: 200, body: { status: 'OK' } })
    expect(await answer).toMatch(/\r\nconnection: close\r\n/i)
    await stopped
  })
})

async function connects(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  const answered = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
    () => false,
  )
  socket.destroy()
  return answered
}
