import { setTimeout as pause } from 'node:timers/promises'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import type { ImapFlow } from 'imapflow'
import { peakMib, resetPeak, settledKib } from '../measuring/memory.js'
import { pace } from '../measuring/pace.js'
import { quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import { type MailAccount, mailPeers } from '../platform/mail-peers.js'
import { slowLine } from '../platform/slow-line.js'
import type { Figure, Standalone } from '../scenario.js'
import { message, messageOf } from '../seeding/messages.js'
import { openMailboxes, signedInTo } from './imap-mailboxes.js'

const count = 5_000
const delayMs = 15
const arrivals = 30
/** A message of 51 MB after encoding. */
const hugeFile = 37_200_000

/** The minimum ratio of speeds to each peer, on this machine and over a line with a round trip of 30 ms. */
const aims = { 'mbsync without fsync': 0.25, mbsync: 0.8, fetchmail: 2, getmail6: 7, offlineimap: 12 }
const aimOverSlowLine = 0.4

/** Runs on a platform of its own with a real Dovecot (dovecot-imapd, isync, fetchmail, getmail6, offlineimap3 of Debian, as root). */
export const mailReceiving: Standalone = {
  name: 'mail-receiving',
  what: `${count} messages of a Dovecot received, parsed and stored, beside programs that only write them to files; then one message a second that is announced by IDLE, and one of 51 MB`,

  async measureAlone() {
    const server = await dovecot()
    const line = await slowLine({ host: server.host, port: server.ports.imap }, delayMs)
    const distributed = await startDistributed({ OUTBOUND_PRIVATE_HOSTS: server.host })
    const account = { host: server.host, port: server.ports.imap, user: 'office', password: server.password }
    try {
      const inbox = await signedInTo(account)
      await fill(inbox)
      const open = openMailboxes(distributed)
      return [
        ...(await beside(open, distributed, account, aims)),
        ...(await overSlowLine(open, { ...account, port: line.port })),
        ...(await announced(open, server, inbox)),
        ...(await huge(open, distributed, server)),
      ]
    } finally {
      await distributed.stop()
      line.stop()
      await server.stop()
    }
  },
}

async function fill(imap: ImapFlow): Promise<void> {
  for (let number = 0; number < count; number++) await imap.append('INBOX', message(number))
}

type Open = ReturnType<typeof openMailboxes>

async function received(open: Open, account: MailAccount): Promise<number> {
  const startedAt = performance.now()
  const mailbox = await open(account)
  await mailbox.stored(count)
  const seconds = (performance.now() - startedAt) / 1000
  await mailbox.close()
  return seconds
}

async function timed(work: Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work
  return (performance.now() - startedAt) / 1000
}

async function beside(open: Open, { pidOf }: DistributedPlatform, account: MailAccount, aims: Record<string, number>): Promise<Figure[]> {
  // The first fetch warms the caches of the server, and is not measured.
  await mailPeers['mbsync without fsync'](account)
  const pid = pidOf('mail-1')
  resetPeak(pid)
  const ours = await received(open, account)
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

async function overSlowLine(open: Open, account: MailAccount): Promise<Figure[]> {
  const ours = await received(open, account)
  const theirs = await timed(mailPeers.mbsync(account))
  return [
    { what: `received at a round trip of ${2 * delayMs} ms`, value: count / ours, unit: '/s' },
    { what: `ours to mbsync at ${2 * delayMs} ms`, value: theirs / ours, unit: '×', atLeast: aimOverSlowLine },
  ]
}

async function announced(open: Open, server: Dovecot, full: ImapFlow): Promise<Figure[]> {
  full.close()
  const account = { host: server.host, port: server.ports.imap, user: 'announced', password: server.password }
  const imap = await signedInTo(account)
  await imap.append('INBOX', message(0))
  const mailbox = await open(account)
  await mailbox.stored(1)
  await pause(2_000)
  const delays: number[] = []
  await pace(1, arrivals, async (number) => {
    await imap.append('INBOX', message(number))
    const appendedAt = performance.now()
    await mailbox.stored(number + 2, 10)
    delays.push(performance.now() - appendedAt)
  })
  imap.close()
  return [{ what: 'a new message to stored, p95', value: quantile(delays, 0.95), unit: 'ms', atMost: 2_000 }]
}

async function huge(open: Open, { pidOf }: DistributedPlatform, server: Dovecot): Promise<Figure[]> {
  const account = { host: server.host, port: server.ports.imap, user: 'huge', password: server.password }
  const mailbox = await open(account)
  await mailbox.received()
  const pid = pidOf('mail-1')
  const before = (await settledKib([pid])) / 1024
  resetPeak(pid)
  const imap = await signedInTo(account)
  await imap.append('INBOX', messageOf(0, { text: 4_000, file: hugeFile }))
  await mailbox.stored(1)
  imap.close()
  return [{ what: 'mail-1: peak memory beyond idle, a message of 51 MB', value: peakMib(pid) - before, unit: 'MiB', atMost: 200 }]
}
