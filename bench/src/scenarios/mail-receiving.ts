import { setTimeout as pause } from 'node:timers/promises'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { ImapFlow } from 'imapflow'
import { peakMib, resetPeak } from '../measuring/memory.js'
import { pace } from '../measuring/pace.js'
import { quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import { type MailAccount, mailPeers } from '../platform/mail-peers.js'
import { slowLine } from '../platform/slow-line.js'
import type { Figure, Standalone } from '../scenario.js'
import { message } from '../seeding/messages.js'
import { asExpert } from './requests.js'

const count = 5_000
const delayMs = 15
const arrivals = 30
const timeoutMs = 600_000

/** How many times as fast as each peer, on this machine and over a line with a round trip of 30 ms. */
const aims = { 'mbsync without fsync': 0.25, mbsync: 0.8, fetchmail: 2, getmail6: 7, offlineimap: 12 }
const aimOverSlowLine = 0.4

/** A platform of its own beside a real Dovecot (dovecot-imapd, isync, fetchmail, getmail6, offlineimap3 of Debian, as root). */
export const mailReceiving: Standalone = {
  name: 'mail-receiving',
  what: `${count} messages of a Dovecot received, parsed and stored, beside programs that only write them to files; then one message a second that is announced by IDLE`,

  async measureAlone() {
    const server = await dovecot()
    const line = await slowLine({ host: server.host, port: server.ports.imap }, delayMs)
    const distributed = await startDistributed({ OUTBOUND_PRIVATE_HOSTS: server.host })
    const account = { host: server.host, port: server.ports.imap, user: 'office', password: server.password }
    try {
      const inbox = await signedIn(account)
      await fill(inbox)
      const mailboxes = mailboxesOf(distributed)
      return [
        ...(await beside(mailboxes, distributed, account, aims)),
        ...(await overSlowLine(mailboxes, { ...account, port: line.port })),
        ...(await announced(mailboxes, server, inbox)),
      ]
    } finally {
      await distributed.stop()
      line.stop()
      await server.stop()
    }
  },
}

type Mailboxes = ReturnType<typeof mailboxesOf>

async function signedIn({ host, port, user, password: pass }: MailAccount): Promise<ImapFlow> {
  const imap = new ImapFlow({ host, port, secure: false, doSTARTTLS: false, logger: false, auth: { user, pass } })
  imap.on('error', () => undefined)
  await imap.connect()
  return imap
}

async function fill(imap: ImapFlow): Promise<void> {
  for (let number = 0; number < count; number++) await imap.append('INBOX', message(number))
}

/** Mailboxes of an expert of the demo. */
function mailboxesOf(distributed: DistributedPlatform) {
  const { demo, databases } = distributed
  const send = asExpert(distributed, demo.offices[0])
  let made = 0
  return {
    async open({ host, port, user, password }: MailAccount): Promise<number> {
      made += 1
      const login = { user_name: 'Office', user_email: `office-${made}@caseway.example`, user_login: user, user_password: password }
      const server = { server_protocol: 2, server_address: host, server_port: port, server_encryption: '0', server_secure: '0' }
      return (await send('POST', 'mail_server', { MailServer: { ...login, ...server } })).id
    },
    close: (id: number) => send('DELETE', `mail_server/${id}`),
    /** Resolves when so many messages are stored. */
    async stored(id: number, expected: number, everyMs = 50): Promise<void> {
      for (const deadline = performance.now() + timeoutMs; ; await pause(everyMs)) {
        const [row] = await databases.mail.rows<{ count: string }>(
          'SELECT count(*) FROM mail_received_messages WHERE mail_server_id = $1',
          [id],
        )
        if (Number(row?.count) >= expected) return
        if (performance.now() > deadline)
          throw new Error(`${row?.count} of ${expected} messages were received within ${timeoutMs / 1000} s.`)
      }
    },
  }
}

async function received(mailboxes: Mailboxes, account: MailAccount): Promise<number> {
  const startedAt = performance.now()
  const id = await mailboxes.open(account)
  await mailboxes.stored(id, count)
  const seconds = (performance.now() - startedAt) / 1000
  await mailboxes.close(id)
  return seconds
}

async function timed(work: Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work
  return (performance.now() - startedAt) / 1000
}

async function beside(
  mailboxes: Mailboxes,
  { pidOf }: DistributedPlatform,
  account: MailAccount,
  aims: Record<string, number>,
): Promise<Figure[]> {
  // What the server reads for the first time is read by nobody's time.
  await mailPeers['mbsync without fsync'](account)
  const pid = pidOf('mail-1')
  resetPeak(pid)
  const ours = await received(mailboxes, account)
  const figures: Figure[] = [
    { what: 'received, parsed and stored', value: count / ours, unit: '/s' },
    { what: 'mail-1: peak memory', value: peakMib(pid), unit: 'MiB', atMost: 350 },
  ]
  for (const [name, fetchAll] of Object.entries(mailPeers)) {
    const theirs = await timed(fetchAll(account))
    figures.push({ what: `${name}: fetched`, value: count / theirs, unit: '/s' })
    figures.push({ what: `ours to ${name}`, value: theirs / ours, unit: '×', atLeast: aims[name] })
  }
  return figures
}

async function overSlowLine(mailboxes: Mailboxes, account: MailAccount): Promise<Figure[]> {
  const ours = await received(mailboxes, account)
  const theirs = await timed(mailPeers.mbsync(account))
  return [
    { what: `received at a round trip of ${2 * delayMs} ms`, value: count / ours, unit: '/s' },
    { what: `ours to mbsync at ${2 * delayMs} ms`, value: theirs / ours, unit: '×', atLeast: aimOverSlowLine },
  ]
}

async function announced(mailboxes: Mailboxes, server: Dovecot, full: ImapFlow): Promise<Figure[]> {
  full.close()
  const account = { host: server.host, port: server.ports.imap, user: 'announced', password: server.password }
  const imap = await signedIn(account)
  await imap.append('INBOX', message(0))
  const id = await mailboxes.open(account)
  await mailboxes.stored(id, 1)
  await pause(2_000)
  const delays: number[] = []
  await pace(1, arrivals, async (number) => {
    await imap.append('INBOX', message(number))
    const appendedAt = performance.now()
    await mailboxes.stored(id, number + 2, 10)
    delays.push(performance.now() - appendedAt)
  })
  imap.close()
  return [{ what: 'a new message to stored, p95', value: quantile(delays, 0.95), unit: 'ms', atMost: 2_000 }]
}
