import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'
import { type Deviation, imapScript, type ScriptedFolder, scriptedFolder } from '../support/scripted-imap.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'

let server: ScriptedServer
let receiving: TestReceiving
afterEach(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 20_000 }

/** A mailbox on a scripted server. */
async function mailboxOn(folders: Record<string, ScriptedFolder>, capabilities: string, deviation: Deviation = () => undefined) {
  server = await scriptedServer(imapScript({ folders: new Map(Object.entries(folders)), deviation, capabilities }))
  receiving = await testReceiving({ host: '127.0.0.1', ports: { imap: server.port }, password: 'a password' })
  return receiving.mailbox()
}

const flagged = (attributes: string, ...subjects: string[]): ScriptedFolder => ({ ...scriptedFolder(...subjects), attributes })
const untilReceived = (mailbox: TestMailbox) => eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)
const namespaces =
  (answer: string): Deviation =>
  (line, tag) =>
    line === 'NAMESPACE' ? `* NAMESPACE ${answer}\r\n${tag} OK done\r\n` : undefined

/** The stored messages, as subject and folder. */
const stored = async (mailbox: TestMailbox) => {
  await untilReceived(mailbox)
  const rows = await receiving.service.database.rows<{ mail_subject: string; folder_name: string }>(
    'SELECT mail_subject, folder_name FROM mail_received_messages ORDER BY mail_subject',
  )
  return rows.map(({ mail_subject, folder_name }) => [mail_subject, folder_name])
}

describe('folders of other users, and shared ones', () => {
  it('are not received, and do not have the special use of a folder of the user', async () => {
    const mailbox = await mailboxOn(
      {
        ...{ INBOX: scriptedFolder('Own'), 'Sent Items': scriptedFolder('Sent by the user'), Shares: scriptedFolder('On shares') },
        ...{ 'Other Users/bob': scriptedFolder('To Bob'), 'Other Users/bob/Sent': flagged('\\Sent', 'Sent by Bob') },
        ...{ Shared: scriptedFolder('To all'), 'Shared/team': scriptedFolder('To the team') },
      },
      'IMAP4rev1 NAMESPACE SPECIAL-USE',
      namespaces('(("" "/")) (("Other Users/" "/")) (("Shared/" "/"))'),
    )
    expect(await stored(mailbox)).toEqual([
      ['On shares', 'OTHERS'],
      ['Own', 'OTHERS'],
      ['Sent by the user', 'SENT'],
    ])
  })

  it('are told from those of the user by the longest prefix, which is in modified UTF-7', async () => {
    const mailbox = await mailboxOn(
      {
        ...{ INBOX: scriptedFolder('Own'), Sent: flagged('\\Sent', 'Sent by all'), Team: scriptedFolder('To the team') },
        ...{ 'Mine/Sent': scriptedFolder('Sent by the user'), 'Mine/&AMk-t&AOk-/Bob': scriptedFolder('To Bob') },
      },
      'IMAP4rev1 NAMESPACE SPECIAL-USE',
      (line, tag) => {
        const all = '* LIST () "/" INBOX\r\n* LIST (\\Sent) "/" Sent\r\n* LIST () "/" Team\r\n'
        const own = '* LIST () "/" Mine/Sent\r\n* LIST () "/" Mine/&AMk-t&AOk-/Bob\r\n'
        if (line === 'LIST "Mine/" "*"') return `${own}${tag} OK done\r\n`
        if (line === 'LIST "" INBOX') return `* LIST () "/" INBOX\r\n${tag} OK done\r\n`
        if (line.startsWith('LIST')) return `${all}${own}${tag} OK done\r\n`
        return namespaces('(("Mine/" "/")) (("Mine/&AMk-t&AOk-/" "/")) (("" "/"))')(line, tag, '')
      },
    )
    expect(await stored(mailbox)).toEqual([
      ['Own', 'OTHERS'],
      ['Sent by the user', 'SENT'],
    ])
  })
})

describe('a folder that cannot be selected', () => {
  it.each(['\\Noselect', '\\NoSelect \\Sent', '\\NonExistent \\Sent'])(
    'does not have the special use of another one (%s)',
    async (attributes) => {
      const folders = { INBOX: scriptedFolder('Own'), Sent: flagged(attributes), 'INBOX/Sent': scriptedFolder('Sent by the user') }
      const mailbox = await mailboxOn(folders, 'IMAP4rev1 SPECIAL-USE')
      expect(await stored(mailbox)).toEqual([
        ['Own', 'OTHERS'],
        ['Sent by the user', 'SENT'],
      ])
    },
  )
})

describe('a special use of two folders', () => {
  it('is that of the folder that the server names, whatever the names of others', async () => {
    const folders = { INBOX: scriptedFolder(), Sent: scriptedFolder('In Sent'), Work: flagged('\\Sent', 'In Work') }
    const mailbox = await mailboxOn(folders, 'IMAP4rev1 SPECIAL-USE')
    expect(await stored(mailbox)).toEqual([
      ['In Sent', 'OTHERS'],
      ['In Work', 'SENT'],
    ])
  })
})

describe('an inbox whose state its server does not report', () => {
  it('is an error of the mailbox', async () => {
    const folders = { INBOX: scriptedFolder('One'), Work: scriptedFolder('Two') }
    let isRefused = true
    const mailbox = await mailboxOn(folders, 'IMAP4rev1', (line, tag) =>
      isRefused && line.startsWith('STATUS INBOX') ? `${tag} NO [UNAVAILABLE] Not now.\r\n` : undefined,
    )
    await eventually(
      async () => expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: 'protocol', failures: 1 }),
      patience,
    )
    expect((await mailbox.row()).last_fetch_at).toBeNull()
    isRefused = false
    await mailbox.receive()
    expect(await stored(mailbox)).toEqual([
      ['One', 'OTHERS'],
      ['Two', 'OTHERS'],
    ])
  })
})

describe('names of folders', () => {
  it('are sent as they were listed where the server uses UTF-8', async () => {
    const folders = { INBOX: scriptedFolder('Own'), 'Été & Frühling': scriptedFolder('Of spring') }
    const usual = imapScript({ folders: new Map(Object.entries(folders)), capabilities: 'IMAP4rev1 ENABLE UTF8=ACCEPT' })
    const connection = {}
    const mailbox = await mailboxOn(folders, '', (line, tag) => {
      if (line.startsWith('ENABLE')) return `* ENABLED UTF8=ACCEPT\r\n${tag} OK done\r\n`
      return usual.answer?.(`${tag} ${Buffer.from(line, 'latin1')}`, connection)
    })
    expect(await stored(mailbox)).toEqual([
      ['Of spring', 'OTHERS'],
      ['Own', 'OTHERS'],
    ])
  })

  it('may contain a slash where folders have no hierarchy', async () => {
    const folders = { INBOX: scriptedFolder('Own'), 'Work/Sent': scriptedFolder('Of work'), Sent: scriptedFolder('Sent by the user') }
    const lines = Object.keys(folders).map((name) => `* LIST () NIL "${name}"\r\n`)
    const mailbox = await mailboxOn(folders, 'IMAP4rev1 NAMESPACE', (line, tag, folder) =>
      line.startsWith('LIST') ? `${lines.join('')}${tag} OK done\r\n` : namespaces('(("" NIL)) NIL NIL')(line, tag, folder),
    )
    expect(await stored(mailbox)).toEqual([
      ['Of work', 'OTHERS'],
      ['Own', 'OTHERS'],
      ['Sent by the user', 'SENT'],
    ])
  })
})
