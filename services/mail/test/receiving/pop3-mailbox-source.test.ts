import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from '@jest/globals'
import { wireMailConnections } from '../../src/mail-connections/mail-connections.wiring.js'
import type { MailboxSource } from '../../src/receiving/sources/mailbox-source.js'
import { pop3MailboxSource } from '../../src/receiving/sources/pop3-mailbox-source.client.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'

let server: ScriptedServer | undefined
let source: MailboxSource | undefined
afterEach(async () => {
  await source?.close()
  await server?.stop()
  source = undefined
})

type Answers = Readonly<Record<string, string>>

const ok = (...lines: string[]) => `+OK\r\n${lines.map((line) => `${line}\r\n`).join('')}.\r\n`
const text = 'Subject: a\r\nDate: Mon, 5 Jan 2026 10:00:00 +0000\r\n\r\nThe body.\r\n'
const two: Answers = { UIDL: ok('1 a', '2 b'), LIST: ok('1 63', '2 63'), 'TOP 1 0': ok('Subject: a', ''), 'RETR 1': `+OK\r\n${text}.\r\n` }

/** A mailbox on a server that gives these answers, and refuses all other commands. */
async function mailbox(answers: Answers, known = { uids: new Map<string, bigint>(), lastUid: 0n }) {
  const refused = '-ERR what\r\n'
  const answer = (line: string) => answers[line] ?? (/^(USER|PASS|QUIT)/.test(line) ? '+OK\r\n' : refused)
  server = await scriptedServer({ greeting: '+OK hello\r\n', answer })
  const { openPop3 } = wireMailConnections({ outboundPrivateHosts: ['127.0.0.1'], caFile: undefined })
  const account = { serverAddress: '127.0.0.1', userLogin: 'ann' }
  const access = { ...account, serverProtocol: 3, serverPort: server.port, serverEncryption: 0, credentials: { password: 'x' } }
  source = pop3MailboxSource(await openPop3(access), known, account)
  return source
}

const brokenProtocol = { name: 'MailConnectionError', failed: 'protocol' }

describe('the messages of a POP3 server', () => {
  it('keep their assigned UIDs, and new ones get the next, in the order of the server', async () => {
    const box = await mailbox({ ...two, UIDL: ok('1 new', '2 old', '3 newer') }, { uids: new Map([['old', 4n]]), lastUid: 7n })
    expect(await box.folders()).toMatchObject([{ path: 'INBOX', uidNext: 10n, messages: 3 }])
    expect(await box.uids(0n)).toEqual([4n, 8n, 9n])
    expect(await box.light([8n])).toMatchObject([{ uid: 8n, uidl: 'new' }])
  })

  it('with the same unique id count as one', async () => {
    const box = await mailbox({ ...two, UIDL: ok('1 a', '2 a', '3 b') })
    await box.folders()
    expect(await box.uids(0n)).toEqual([1n, 2n])
  })

  it.each([
    ['too long', 'a'.repeat(256)],
    ['not of printable characters', 'a\0b'],
  ])('have an id of another form where that of the server is %s', async (_, id) => {
    const answers = { ...two, UIDL: ok(`1 ${id}`, '2 b'), 'TOP 2 0': ok('Subject: b', '') }
    const box = await mailbox(answers)
    await box.folders()
    const [odd, usual] = await box.light([1n, 2n])
    expect([odd?.uidl, usual?.uidl]).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/), 'b'])
    await box.close()
    const again = await mailbox(answers, { uids: new Map([[String(odd?.uidl), 7n]]), lastUid: 8n })
    await again.folders()
    expect(await again.uids(0n)).toEqual([7n, 9n])
  })

  it('that are gone are left out, and the others are read', async () => {
    const one = { 'TOP 2 0': ok('Subject: a', ''), 'RETR 2': `+OK\r\n${text}.\r\n` }
    const box = await mailbox({ UIDL: ok('1 gone', '2 a'), LIST: ok('1 63', '2 63'), ...one })
    await box.folders()
    expect((await box.light([1n, 2n])).map(({ uid }) => uid)).toEqual([2n])
    expect([...(await box.bodies([1n, 2n, 3n]))]).toEqual([[2n, Buffer.from(text)]])
    expect(await box.stream(1n)).toBeNull()
  })

  it('have headers also where the server does not support TOP', async () => {
    const { 'TOP 1 0': _, ...withoutTop } = two
    const box = await mailbox(withoutTop)
    await box.folders()
    const [light] = await box.light([1n])
    expect(Buffer.from(light?.header ?? []).toString()).toBe(text.slice(0, text.indexOf('The body.')))
    expect(light?.internalDate).toEqual(new Date('2026-01-05T10:00:00Z'))
  })

  it('have another UIDVALIDITY with another server or login', async () => {
    const [one] = await (await mailbox(two)).folders()
    const { uidValidity } = one ?? {}
    expect(Number(uidValidity)).toBeGreaterThanOrEqual(2 ** 32)
    const connection = { uniqueIds: async () => new Map(), sizes: async () => new Map() } as never
    const of = async (account: { serverAddress: string; userLogin: string }) =>
      (await pop3MailboxSource(connection, { uids: new Map(), lastUid: 0n }, account).folders())[0]?.uidValidity
    expect(await of({ serverAddress: '127.0.0.1', userLogin: 'ann' })).toBe(uidValidity)
    expect(await of({ serverAddress: '127.0.0.2', userLogin: 'ann' })).not.toBe(uidValidity)
    expect(await of({ serverAddress: '127.0.0.1', userLogin: 'bob' })).not.toBe(uidValidity)
  })
})

describe('a POP3 server', () => {
  it.each([
    ['has no unique ids', { UIDL: '-ERR what\r\n' }],
    ['answers nonsense', { UIDL: 'HTTP/1.1 400\r\n' }],
    ['ends a list never', { UIDL: `+OK\r\n${'1 a\r\n'.repeat(4_000_000)}` }],
  ])('that %s fails with `protocol`', async (_, answers) => {
    const box = await mailbox({ ...two, ...answers })
    await expect(box.folders()).rejects.toMatchObject(brokenProtocol)
  })

  it('that gives more bytes than it has said is left', async () => {
    const box = await mailbox({ ...two, 'RETR 1': `+OK\r\n${'x'.repeat(1_048_576 + 64 * 2)}\r\n.\r\n` })
    await box.folders()
    await expect(box.bodies([1n])).rejects.toMatchObject(brokenProtocol)
    await expect(box.light([1n])).rejects.toMatchObject(brokenProtocol)
  })

  it('gets no command while bytes of a message are unread', async () => {
    const box = await mailbox(two)
    await box.folders()
    const stream = await box.stream(1n)
    await expect(box.light([1n])).rejects.toMatchObject(brokenProtocol)
    expect(stream && (await buffer(stream))).toEqual(Buffer.from(text))
    expect(await box.light([1n])).toHaveLength(1)
  })

  it('is never told to delete', async () => {
    const box = await mailbox(two)
    await box.folders()
    await box.bodies(await box.uids(0n))
    await box.close()
    const commands = (server?.received() ?? '').split('\r\n').map((line) => line.split(' ')[0])
    expect(commands).toEqual(expect.arrayContaining(['UIDL', 'LIST', 'RETR', 'QUIT']))
    expect(commands).not.toContain('DELE')
  })
})
