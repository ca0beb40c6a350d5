import { randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { type Deviation, imapScript, type ScriptedFolder, scriptedFolder } from '../support/scripted-imap.js'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.js'
import { type SendingMailbox, type TestSending, testSending } from '../support/sending.js'
import { type TestSmtp, testSmtp } from '../support/smtp-server.js'

let sending: TestSending
let smtp: TestSmtp
beforeAll(async () => {
  sending = await testSending()
})
let imap: ScriptedServer
afterEach(async () => {
  await imap.stop()
  await smtp.stop()
})
afterAll(() => sending.stop())

const patience = { timeoutMs: 20_000 }
const rows = (sql: string) => sending.service.database.rows(sql)
const usualFolders = { INBOX: scriptedFolder(), Sent: scriptedFolder() }

/** A mailbox whose IMAP server is scripted. */
async function mailboxOn(deviation: Deviation, capabilities = 'IMAP4rev1', folders: Record<string, ScriptedFolder> = usualFolders) {
  smtp = await testSmtp()
  imap = await scriptedServer(imapScript({ folders: new Map(Object.entries(folders)), deviation, capabilities }))
  const user_email = `${randomUUID()}@office.example`
  const mailbox = await sending.mailbox({ server_port: smtp.port, user_email })
  const partner = { user_email, server_protocol: 2, server_address: '127.0.0.1', server_port: imap.port, server_encryption: 0 }
  await createMailServer(sending.service.asExpert(mailbox.office.expert), partner)
  return mailbox
}

const jobsOf = ({ id }: SendingMailbox) => `name = 'mail-sent-copy' AND key = '${id}'`

/** Runs the job without its delay, and waits until the run has ended. */
async function copyNow(mailbox: SendingMailbox): Promise<void> {
  const waiting = `FROM kit.job WHERE ${jobsOf(mailbox)} AND state = 'waiting'`
  const [job] = await eventually(async () => {
    const found = await sending.service.database.rows<{ id: bigint }>(`SELECT id ${waiting}`)
    expect(found).toHaveLength(1)
    return found
  }, patience)
  const fence = () => rows(`SELECT fence FROM kit.job WHERE id = ${job?.id} AND state NOT IN ('ready', 'running')`)
  const before = await fence()
  await rows(`UPDATE kit.job SET run_at = now(), due = now() WHERE id = ${job?.id}`)
  await eventually(async () => {
    const after = await fence()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
  }, patience)
}

async function send(mailbox: SendingMailbox, ...status: number[]): Promise<void> {
  await mailbox.queue({ bytes: 'Subject: Hello\r\n\r\nThe end\r\n' })
  await mailbox.send()
  await mailbox.untilStatus(...status)
}

const appends = () => imap.received().match(/ APPEND /g)?.length ?? 0
const due = ({ id }: SendingMailbox) =>
  rows(`SELECT position FROM (
  SELECT copy_due, row_number() OVER (ORDER BY id)::int AS position FROM mail_sent_messages WHERE mail_server_id = ${id}) AS messages WHERE copy_due`)
const [first, second] = [{ position: 1 }, { position: 2 }]

/** The jobs that run again, and whether that is in about an hour. */
const waiting = (mailbox: SendingMailbox) =>
  rows(`SELECT run_at - now() BETWEEN '50 minutes' AND '1 hour' AS "inAnHour" FROM kit.job WHERE ${jobsOf(mailbox)} AND state <> 'done'`)

describe('a copy that the server refuses', () => {
  it.each(['NO [OVERQUOTA] Full.', 'NO [TRYCREATE] None.', 'NO [NOPERM] Read-only.', 'BAD What?'])(
    'is tried again once an hour, for a day, whatever is sent meanwhile (%s)',
    async (answer) => {
      const mailbox = await mailboxOn((line, tag) => (line.startsWith('APPEND') ? `${tag} ${answer}\r\n` : undefined))
      await send(mailbox, 2)
      await copyNow(mailbox)
      await send(mailbox, 2, 2)
      await copyNow(mailbox)
      expect([appends(), await due(mailbox), await waiting(mailbox)]).toEqual([2, [first, second], [{ inAnHour: true }]])
      await rows(`UPDATE mail_sent_messages SET copy_tried_at = now() - interval '1 hour' WHERE mail_server_id = ${mailbox.id}`)
      await rows(`UPDATE mail_sent_messages SET sent_at = now() - interval '1 day' WHERE mail_server_id = ${mailbox.id}`)
      await copyNow(mailbox)
      expect([appends(), await due(mailbox), await waiting(mailbox)]).toEqual([4, [], []])
      expect(smtp.delivered).toHaveLength(2)
      expect(await mailbox.messages()).toMatchObject([
        { status: 2, error: null },
        { status: 2, error: null },
      ])
    },
  )

  it('is not sent to a server that announces to take only smaller messages', async () => {
    const mailbox = await mailboxOn(() => undefined, 'IMAP4rev1 APPENDLIMIT=10')
    await send(mailbox, 2)
    await copyNow(mailbox)
    expect([appends(), await due(mailbox), await waiting(mailbox)]).toEqual([0, [first], [{ inAnHour: true }]])
  })

  it('does not block those of other messages where the server ends the connection', async () => {
    let [appending, before] = ['', '']
    const mailbox = await mailboxOn((line, tag) => {
      if (line.startsWith('APPEND')) {
        if (appends() === 1) return null
        appending = tag
        return '+ Go on.\r\n'
      }
      if (appending === '') return undefined
      const answer = before === 'end' ? `${appending} OK done\r\n` : ''
      if (answer !== '') appending = ''
      before = line
      return answer
    })
    await send(mailbox, 2)
    await send(mailbox, 2, 2)
    await copyNow(mailbox)
    expect(await due(mailbox)).toEqual([first, second])
    await copyNow(mailbox)
    expect([appends(), await due(mailbox), await waiting(mailbox)]).toEqual([2, [first], [{ inAnHour: true }]])
  })
})

describe('the version of a message', () => {
  it.each([
    ['there', (tag: string, line: string) => (line.includes('SEARCH') ? `* SEARCH 1\r\n${tag} OK done\r\n` : undefined), []],
    ['refused', (tag: string, line: string) => (line.startsWith('APPEND') ? `${tag} NO Full.\r\n` : undefined), [first]],
  ])('is not changed by its copy, which is %s', async (_, answer, left) => {
    const mailbox = await mailboxOn((line, tag) => answer(tag, line))
    await send(mailbox, 2)
    const version = () => rows(`SELECT version, modified FROM mail_sent_messages WHERE mail_server_id = ${mailbox.id}`)
    const before = await version()
    await copyNow(mailbox)
    expect([await version(), await due(mailbox)]).toEqual([before, left])
  })
})

describe('the folder for sent messages', () => {
  it.each([[{ Sent: { ...scriptedFolder(), attributes: '\\Noselect' }, 'Archive/Sent': scriptedFolder() }, 'Archive/Sent']])(
    'is one that can be selected',
    async (folders, path) => {
      const refused: Deviation = (line, tag) => (line.startsWith('APPEND') ? `${tag} NO Full.\r\n` : undefined)
      const mailbox = await mailboxOn(refused, 'IMAP4rev1', { INBOX: scriptedFolder(), ...folders })
      await send(mailbox, 2)
      await copyNow(mailbox)
      expect(imap.received()).toContain(`APPEND ${path} `)
    },
  )
})
