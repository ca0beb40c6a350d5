import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Postfix, postfix } from '@caseway/testing/postfix'
import { peakMib, resetPeak } from '../measuring/memory.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Standalone } from '../scenario.js'
import { type asExpert, expertsOf } from './requests.js'

const run = promisify(execFile)

const count = 2_000
const shared = { mailboxes: 50, each: 200 }
/** Connections per mailbox, also of the peer. */
const sessions = 3
const callers = 8
const body = '<p>The minutes of the meeting are attached; please answer before the end of the month.</p>\n'.repeat(20)
const timeoutMs = 240_000

/** Runs on a platform of its own with a real Postfix (postfix of Debian, as root), which stores each message before it answers. */
export const mailSending: Standalone = {
  name: 'mail-sending',
  what: `${count} messages of one mailbox that become due at once, taken by a Postfix, beside smtp-source(1); then ${shared.mailboxes * shared.each} of ${shared.mailboxes} mailboxes`,

  async measureAlone() {
    const server = await postfix()
    const distributed = await startDistributed({ OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_MESSAGES_PER_HOUR: '1000000' })
    try {
      const mailboxes = mailboxesOf(distributed, server)
      return [...(await beside(mailboxes, distributed, server)), ...(await fairness(mailboxes))]
    } finally {
      await distributed.stop()
      await server.stop()
    }
  },
}

interface Mailbox {
  readonly id: number
  readonly send: ReturnType<typeof asExpert>
}

type Mailboxes = ReturnType<typeof mailboxesOf>
type Sent = Readonly<Record<'mailServerId' | 'seconds', number>>

/** Access to mailboxes of experts of the demo. */
function mailboxesOf(distributed: DistributedPlatform, { host, port }: Postfix) {
  const { databases } = distributed
  const experts = expertsOf(distributed)
  let made = 0

  const queue = async (mailboxes: readonly Mailbox[], each: number, sendAt: Date) => {
    const left = mailboxes.flatMap((mailbox) => Array.from({ length: each }, () => mailbox))
    const work = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const to = { mail_to_address: ['anna@client.example'], mail_to_name: ['Anna'], mail_subject: 'Minutes', mail_body: body }
        const record = { ...to, mail_server_id: next.id, status: 0, send_at: sendAt.toISOString() }
        await next.send('POST', 'mail_sent_mysql_message', { MailSentMysqlMessage: record })
      }
    }
    await Promise.all(Array.from({ length: callers }, work))
  }

  return {
    async open(): Promise<Mailbox> {
      made += 1
      const send = experts[made % experts.length] as Mailbox['send']
      const server = { server_protocol: 1, server_address: host, server_port: port, server_encryption: '0', server_secure: '0' }
      const login = { user_name: 'Office', user_email: `office-${made}@caseway.example`, user_login: 'office', user_password: 'unused' }
      return { send, id: (await send('POST', 'mail_server', { MailServer: { ...login, ...server } })).id }
    },
    /** @returns for each mailbox the seconds from the moment at which all messages were due until each was sent */
    async sent(mailboxes: readonly Mailbox[], each: number, queueMs: number): Promise<Sent[]> {
      const sendAt = new Date(Math.ceil((Date.now() + queueMs) / 1000) * 1000)
      await queue(mailboxes, each, sendAt)
      if (Date.now() >= Number(sendAt)) throw new Error('Messages were due before all were queued.')
      const ids = mailboxes.map(({ id }) => id)
      for (const deadline = Number(sendAt) + timeoutMs; ; await pause(200)) {
        const rows = await databases.mail.rows<Sent>(
          `SELECT mail_server_id AS "mailServerId", extract(epoch FROM sent_at - $2::timestamptz)::float8 AS seconds
          FROM mail_sent_messages WHERE mail_server_id = ANY($1) AND send_at = $2::timestamptz AND status = 2`,
          [ids, sendAt],
        )
        if (rows.some(({ seconds }) => seconds < 0)) throw new Error('Messages were sent before they were due.')
        if (rows.length === each * mailboxes.length) return rows
        if (Date.now() > deadline) throw new Error(`${rows.length} of ${each * mailboxes.length} messages were sent.`)
      }
    },
  }
}

const lastOf = (sent: readonly Sent[]) => Math.max(...sent.map(({ seconds }) => seconds))

async function beside(mailboxes: Mailboxes, { pidOf }: DistributedPlatform, { host, port }: Postfix): Promise<Figure[]> {
  const one = [await mailboxes.open()]
  await mailboxes.sent(one, count / 10, 10_000)
  const pid = pidOf('mail-1')
  resetPeak(pid)
  const ours = lastOf(await mailboxes.sent(one, count, 60_000))
  const startedAt = performance.now()
  const options = ['-d', '-s', String(sessions), '-m', String(count), '-l', String(2 * body.length)]
  await run('smtp-source', [...options, '-f', 'office@caseway.example', '-t', 'anna@client.example', `${host}:${port}`])
  const theirs = (performance.now() - startedAt) / 1000
  return [
    { what: 'sent and settled', value: count / ours, unit: '/s' },
    { what: 'smtp-source: sent', value: count / theirs, unit: '/s' },
    { what: 'ours to smtp-source', value: theirs / ours, unit: '×', atLeast: 0.6 },
    { what: 'mail-1: peak memory', value: peakMib(pid), unit: 'MiB' },
  ]
}

async function fairness(mailboxes: Mailboxes): Promise<Figure[]> {
  const many: Mailbox[] = []
  while (many.length < shared.mailboxes) many.push(await mailboxes.open())
  const sent = await mailboxes.sent(many, shared.each, 240_000)
  const mean = (rows: readonly Sent[]) => rows.reduce((sum, { seconds }) => sum + seconds, 0) / rows.length
  const means = [...Map.groupBy(sent, ({ mailServerId }) => mailServerId).values()].map(mean)
  return [
    { what: `of ${shared.mailboxes} mailboxes: sent and settled`, value: sent.length / lastOf(sent), unit: '/s' },
    { what: 'the longest mean wait of a mailbox to the mean wait of all', value: Math.max(...means) / mean(sent), unit: '×', atMost: 2 },
  ]
}
