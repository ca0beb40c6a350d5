import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { ImapFlow } from 'imapflow'
import { imapMessages } from '../../src/receiving/sources/imap-messages.client.js'
import { type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'
import { type Deviation, imapScript, messageOf, type ScriptedFolder, scriptedFolder } from '../support/scripted-imap.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'

let server: ScriptedServer
let receiving: TestReceiving
afterEach(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 20_000 }
const withIdle = 'IMAP4rev1 IDLE'
type Folders = Record<string, ScriptedFolder> & { readonly INBOX: ScriptedFolder }

/** A mailbox on a scripted server. */
async function mailboxOn(folders: Folders, deviation: Deviation, capabilities = 'IMAP4rev1'): Promise<TestMailbox> {
  server = await scriptedServer(imapScript({ folders: new Map(Object.entries(folders)), deviation, capabilities }))
  receiving = await testReceiving({ host: '127.0.0.1', ports: { imap: server.port }, password: 'a password' })
  return receiving.mailbox()
}

const subjectsOf = async (mailbox: TestMailbox) => (await mailbox.subjects()).sort()
const untilSubjects = (mailbox: TestMailbox, ...subjects: string[]) =>
  eventually(async () => expect(await subjectsOf(mailbox)).toEqual(subjects.sort()), patience)
const untilError = (mailbox: TestMailbox, last_error: string | null) =>
  eventually(async () => expect(await mailbox.row()).toMatchObject({ state: 'active', last_error }), patience)
const untilReceived = (mailbox: TestMailbox) => eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)
const rounds = () => server.received().match(/^\S+ LSUB /gm)?.length ?? 0
const lineOf = (size: number) => `${'x'.repeat(78)}\r\n`.repeat(size / 80)

describe('a server that does not report UIDNEXT', () => {
  it.each([withIdle, 'IMAP4rev1'])('is received all the same, and new messages arrive with the next check (%s)', async (capabilities) => {
    const folders = { INBOX: scriptedFolder('One', 'Two') }
    const state = () => `MESSAGES ${folders.INBOX.messages.size} UIDVALIDITY 1`
    const deviation: Deviation = (line, tag) =>
      line.startsWith('STATUS') ? `* STATUS INBOX (${state()})\r\n${tag} OK done\r\n` : undefined
    const mailbox = await mailboxOn(folders, deviation, capabilities)
    await untilSubjects(mailbox, 'One', 'Two')
    await untilReceived(mailbox)
    expect(rounds()).toBeLessThan(4)
    folders.INBOX.messages.set(3, messageOf('Three'))
    await untilSubjects(mailbox, 'One', 'Two', 'Three')
    await untilError(mailbox, null)
  })

  it('is received further after the highest UID', async () => {
    const folders = { INBOX: { uidValidity: 1, messages: new Map([[4_294_967_295, messageOf('Last')]]) }, Work: scriptedFolder('Work') }
    const deviation: Deviation = (line, tag) => {
      if (line.startsWith('STATUS')) return `* STATUS ${line.split(' ')[1]} (MESSAGES 1 UIDVALIDITY 1)\r\n${tag} OK done\r\n`
      return line.includes('4294967296') ? `${tag} BAD invalid\r\n` : undefined
    }
    const mailbox = await mailboxOn(folders, deviation)
    await untilSubjects(mailbox, 'Last', 'Work')
    await eventually(() => expect(rounds()).toBeGreaterThanOrEqual(3), patience)
    await untilError(mailbox, null)
  })
})

describe('a server that reports a change in response to each command', () => {
  it('is asked once a second at most', async () => {
    const status = '* STATUS INBOX (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1)\r\n'
    const deviation: Deviation = (line, tag) =>
      line.startsWith('STATUS') ? `* 1 FETCH (FLAGS ())\r\n${status}${tag} OK done\r\n` : undefined
    const mailbox = await mailboxOn({ INBOX: scriptedFolder('One') }, deviation, withIdle)
    // The first change is reported when the inbox is open.
    await untilReceived(mailbox)
    await eventually(() => expect(rounds()).toBeGreaterThanOrEqual(3), patience)
    const [begun, before] = [Date.now(), rounds()]
    await eventually(() => expect(rounds()).toBeGreaterThanOrEqual(before + 4), patience)
    expect(Date.now() - begun).toBeGreaterThan(2000)
  })
})

describe('a folder that its server does not open', () => {
  const folders = () => ({ INBOX: scriptedFolder('One'), Closed: scriptedFolder('Never'), Work: scriptedFolder('Two') })
  const refuses =
    (name: string): Deviation =>
    (line, tag) =>
      line === `SELECT ${name}` ? `${tag} NO [SERVERBUG] It cannot be opened.\r\n` : undefined

  it('does not block the others', async () => {
    const mailbox = await mailboxOn(folders(), refuses('Closed'))
    await untilSubjects(mailbox, 'One', 'Two')
    await untilReceived(mailbox)
    await untilError(mailbox, null)
  })

  it('does not stop a backfill of the others', async () => {
    const mailbox = await mailboxOn(folders(), refuses('Closed'))
    await untilReceived(mailbox)
    const command = { command_id: 4, mail_server_id: Number(mailbox.id), folder_name: 'OTHERS', fetch_after_date: '2026-10-01' }
    await receiving.service.asExpert(mailbox.office.expert).post('/mail_command', { MailCommand: command })
    const status = () => receiving.service.database.rows('SELECT status FROM mail_commands WHERE command_id = 4')
    await eventually(async () => expect(await status()).toEqual([{ status: 'done' }]), patience)
  })

  it('is an error of the mailbox where it is the inbox', async () => {
    const mailbox = await mailboxOn(folders(), refuses('INBOX'))
    await untilError(mailbox, 'protocol')
  })
})

describe('names of folders that cannot be stored', () => {
  it('do not block the folders with other names', async () => {
    // NUL, and a lone surrogate, in modified UTF-7 (RFC 3501, 5.1.3).
    const odd = { '&AAA-': scriptedFolder('Nul'), '&2AA-': scriptedFolder('Lone'), ['a'.repeat(5000)]: scriptedFolder('Long') }
    const names = { 'A&-B': scriptedFolder('Ampersand'), '&AOk-t&AOk-': scriptedFolder('Summer'), 'Z%*': scriptedFolder('Wildcards') }
    const mailbox = await mailboxOn({ INBOX: scriptedFolder('One'), ...odd, ...names }, () => undefined)
    await untilSubjects(mailbox, 'One', 'Ampersand', 'Summer', 'Wildcards')
    await untilReceived(mailbox)
    await untilError(mailbox, null)
  })
})

describe('flags that others change while messages are fetched', () => {
  it('neither empty the header of a message, nor add one that was not asked for', async () => {
    const folders = { INBOX: scriptedFolder('One', 'Two', 'Three') }
    const changes = '* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 1 FETCH (FLAGS (\\Flagged))\r\n* 9 FETCH (UID 900 FLAGS (\\Seen))\r\n'
    const usual = imapScript({ folders: new Map(Object.entries(folders)) })
    const connection = {}
    usual.answer?.('a SELECT INBOX', connection)
    const mailbox = await mailboxOn(folders, (line, tag) => {
      if (!line.startsWith('UID FETCH')) return undefined
      return usual.answer?.(`${tag} ${line}`, connection)?.replace(`${tag} OK`, `${changes}${tag} OK`)
    })
    await untilSubjects(mailbox, 'One', 'Two', 'Three')
    await untilReceived(mailbox)
    expect((await mailbox.stored()).map(({ mail_subject, is_read }) => [mail_subject, is_read])).toEqual([
      ['One', false],
      ['Two', true],
      ['Three', false],
    ])
    expect(await receiving.service.database.rows('SELECT last_uid::int FROM remote_folders')).toEqual([{ last_uid: 3 }])
  })
})

describe('a read flag that the server refuses', () => {
  it('stays as it was set here, and is written once the server takes it', async () => {
    let isReadOnly = true
    const deviation: Deviation = (line, tag) =>
      line.startsWith('UID STORE') && isReadOnly ? `${tag} NO [NOPERM] It is read-only.\r\n` : undefined
    const mailbox = await mailboxOn({ INBOX: scriptedFolder('One') }, deviation)
    await untilReceived(mailbox)
    const [{ id } = { id: 0n }] = await mailbox.stored()
    const http = receiving.service.asExpert(mailbox.office.expert)
    const stores = () => server.received().match(/UID STORE/g)?.length ?? 0
    expect((await http.put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: 1 } })).status).toBe(200)
    const places = () => receiving.service.database.rows('SELECT seen, seen_to_set FROM message_locations')
    await eventually(() => expect(stores()).toBeGreaterThanOrEqual(2), patience)
    expect(await places()).toEqual([{ seen: false, seen_to_set: true }])
    expect(await mailbox.stored()).toMatchObject([{ is_read: true }])
    isReadOnly = false
    await eventually(async () => expect(await places()).toEqual([{ seen: true, seen_to_set: null }]), patience)
  })
})

describe('a server that limits its use', () => {
  it.each(['LIMIT', 'THROTTLED', 'OVERQUOTA'])('is left alone for a while, and the mailbox says so (%s)', async (code) => {
    const deviation: Deviation = (line, tag) => (line.startsWith('UID FETCH') ? `${tag} NO [${code}] Too much.\r\n` : undefined)
    const mailbox = await mailboxOn({ INBOX: scriptedFolder('One', 'Two', 'Three') }, deviation)
    await untilError(mailbox, 'protocol')
    expect(server.received().match(/UID FETCH/g)).toHaveLength(1)
  })
})

describe('a large message that its server does not send completely', () => {
  const large = `From: a@caseway.test\r\nSubject: Large\r\n\r\n${lineOf(6_000_000)}`
  const folders = (): Folders => ({
    INBOX: { uidValidity: 1, messages: new Map([...scriptedFolder('One').messages, [2, large], [3, messageOf('Three')]]) },
  })
  const isThird = (line: string) => line.includes('<2097152.')

  it('is an error of the mailbox where the connection ends', async () => {
    const mailbox = await mailboxOn(folders(), (line) => (isThird(line) ? null : undefined))
    await untilError(mailbox, 'protocol')
    expect((await mailbox.row()).failures).toBe(1)
  })

  it('is recorded, and does not block the others, where the server refuses the rest', async () => {
    const mailbox = await mailboxOn(folders(), (line, tag) => (isThird(line) ? `${tag} NO It cannot be read.\r\n` : undefined))
    await untilSubjects(mailbox, 'One', 'Three')
    await untilReceived(mailbox)
    await untilError(mailbox, null)
    expect(await receiving.service.database.rows('SELECT uid::int, error FROM ingest_failures')).toEqual([{ uid: 2, error: 'fetch' }])
  })
})

describe('a server that sends more than it reports', () => {
  it('is an error of the mailbox where it announces more bytes than a message can have', async () => {
    const deviation: Deviation = (line) => (line.startsWith('UID FETCH') ? '* 1 FETCH (UID 1 BODY[HEADER] {1000000000}\r\n' : undefined)
    const mailbox = await mailboxOn({ INBOX: scriptedFolder('One') }, deviation)
    await untilError(mailbox, 'protocol')
  })

  it('sends as many messages at a time as fit into memory, and the others later', async () => {
    const large = (subject: string) => messageOf(subject).replace('The body.\r\n', lineOf(4_240_000))
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    const folders = { INBOX: { uidValidity: 1, messages: new Map(names.map((name, at) => [at + 1, large(name)])) } }
    const usual = imapScript({ folders: new Map(Object.entries(folders)) })
    const connection = {}
    usual.answer?.('a SELECT INBOX', connection)
    const mailbox = await mailboxOn(folders, (line, tag) =>
      line.startsWith('UID FETCH')
        ? usual.answer?.(`${tag} ${line}`, connection)?.replace(/RFC822\.SIZE \d+/g, 'RFC822.SIZE 1')
        : undefined,
    )
    await untilSubjects(mailbox, 'One', 'Two', 'Three', 'Four')
    await untilReceived(mailbox)
    expect(await receiving.service.database.rows('SELECT uid::int, error FROM ingest_failures ORDER BY uid')).toEqual([
      { uid: 5, error: 'fetch' },
      { uid: 6, error: 'fetch' },
    ])
    await receiving.service.database.rows('UPDATE ingest_failures SET next_try = now()')
    await untilSubjects(mailbox, ...names)
    expect(await receiving.service.database.rows('SELECT FROM ingest_failures')).toEqual([])
  })

  it('sends headers of any length, of which only the beginning is held in memory', async () => {
    const long = (subject: string) => messageOf(subject).replace('\r\n\r\n', `\r\n${`X-Filler: ${'x'.repeat(68)}\r\n`.repeat(60_000)}\r\n`)
    const messages = new Map(['One', 'Two', 'Three'].map((name, at) => [at + 1, long(name)]))
    const mailbox = await mailboxOn({ INBOX: { uidValidity: 1, messages: messages.set(4, messageOf('Short')) } }, () => undefined)
    await untilSubjects(mailbox, 'One', 'Two', 'Three', 'Short')
    await untilReceived(mailbox)
    expect(await receiving.service.database.rows('SELECT size FROM mail_received_messages ORDER BY id')).toEqual(
      [...messages.values()].map(({ length: size }) => ({ size })),
    )
    const answer = { uid: 7, seq: 1, size: 9_000_000, headers: Buffer.alloc(9_000_000, 'x') }
    const client = { fetch: () => [answer] } as unknown as ImapFlow
    const [light] = await imapMessages(client).light([7n])
    expect(light?.header).toHaveLength(102_400)
    expect(light?.header.buffer.byteLength).toBeLessThan(answer.headers.length)
  })

  it('sends one message of any size, and no further ones with it', async () => {
    const answers = [
      { uid: 7, source: Buffer.alloc(17_000_000) },
      { uid: 7, flags: new Set(['\\Seen']) },
      { uid: 8, source: Buffer.alloc(10) },
    ]
    const bodies = await imapMessages({ fetch: () => answers } as unknown as ImapFlow).bodies([7n, 8n])
    expect([...bodies].map(([uid, { length }]) => [uid, length])).toEqual([[7n, 17_000_000]])
  })
})
