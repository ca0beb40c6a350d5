import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Auth, type Login, randomAddress, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  const small = { AUTH_PASSWORD_CONCURRENCY: '1', AUTH_PASSWORD_QUEUE: '20' }
  auth = await startAuthService({ ...small, AUTH_TOKEN_REQUESTS_PER_MINUTE: '1000' })
})
afterAll(() => auth.stop())

const body = ({ username, password }: Login) => ({ grant_type: 'password', client_id: auth.clientId, username, password })
const tries = (login: Login, from: string) => auth.token<Record<string, string>>(body(login), 'expert', { 'x-forwarded-for': from })
const counted = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

/**
 * Locks a table that sign-ins read in their turn. The first one keeps the turn until the lock is released, and later ones wait for it. It is sent alone, so
 * that no read of another one shares its packet.
 */
async function holdTurn<T>(first: () => Promise<T>) {
  const { rollback } = await holdTransaction(auth.database, 'LOCK TABLE known_addresses')
  const answer = first()
  await untilWaiting(auth.database, 1)
  return { answer, release: rollback }
}

it('of sixty concurrent wrong sign-ins ten are hashed, and somebody else signs in before all are answered', async () => {
  const { expert, trainee } = await auth.office()
  const from = randomAddress()
  const answered: number[] = []
  const wrong = async () => {
    const { status, headers, body } = await tries({ ...expert, password: 'a wrong password' }, from)
    answered.push(status)
    if (status === 503) expect([headers.get('retry-after'), body]).toMatchObject(['2', { error: 'temporarily_unavailable' }])
  }
  const turn = await holdTurn(wrong)
  const flood = [turn.answer, ...Array.from({ length: 59 }, wrong)]
  await eventually(() => expect(answered).toHaveLength(39), { timeoutMs: 20_000 })
  const other = tries(trainee, randomAddress())
  await eventually(() => expect(answered).toHaveLength(40))
  await turn.release()
  expect((await other).status).toBe(200)
  expect(counted(answered, 400)).toBeLessThan(10)
  await Promise.all(flood)
  expect([counted(answered, 400), counted(answered, 429), counted(answered, 503)]).toEqual([10, 10, 40])
})

it('a full queue makes room for another address, and refuses a further entry of the one that fills it', async () => {
  const { expert, trainee } = await auth.office()
  const from = randomAddress()
  const answered: number[] = []
  const wrong = async () => answered.push((await tries({ ...expert, password: 'a wrong password' }, from)).status)
  const turn = await holdTurn(wrong)
  const flood = [turn.answer, ...Array.from({ length: 29 }, wrong)]
  await eventually(() => expect(answered).toEqual(Array(9).fill(503)), { timeoutMs: 20_000 })
  const other = tries(trainee, randomAddress())
  await eventually(() => expect(answered).toEqual(Array(10).fill(503)))
  await turn.release()
  expect((await other).status).toBe(200)
  await Promise.all(flood)
  expect([counted(answered, 400), counted(answered, 429)]).toEqual([10, 10])
})

it('a waiting password is not hashed once its client has disconnected', async () => {
  const { expert, trainee } = await auth.office()
  const turn = await holdTurn(() => tries(trainee, randomAddress()))
  const { hostname, port } = new URL(auth.service.httpUrl)
  const sent = (request: string) => {
    const socket = connect(Number(port), hostname)
    socket.write(request)
    return socket
  }
  const from = Array.from({ length: 20 }, randomAddress)
  const text = JSON.stringify(body({ ...expert, password: 'a wrong password' }))
  const head = `POST /expert/rest/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n`
  const sockets = from.map((address) => sent(`${head}x-forwarded-for: ${address}\r\n\r\n${text}`))
  const statusOf = (answer: ReturnType<typeof tries>) => Promise.race([answer.then(({ status }) => status), pause(500, 'waits')])

  await eventually(async () => expect(await statusOf(tries(expert, randomAddress()))).toBe(503))
  for (const socket of sockets) socket.destroy()
  const { answer } = await eventually(async () => {
    const waiting = tries(expert, randomAddress())
    expect(await statusOf(waiting)).toBe('waits')
    return { answer: waiting }
  })
  await turn.release()
  expect([(await turn.answer).status, (await answer).status]).toEqual([200, 200])
  expect(await auth.database.rows(`SELECT FROM kit.rate_limit WHERE split_part(key, ' ', 2) = ANY($1)`, [from])).toEqual([])
})
