import { setTimeout as pause } from 'node:timers/promises'
import { dovecot } from '@caseway/testing/dovecot'
import { cpuSecondsOf } from '../measuring/cpu.js'
import { settledKib } from '../measuring/memory.js'
import { startDistributed } from '../platform/distributed.js'
import type { Figure, Standalone } from '../scenario.js'
import { message } from '../seeding/messages.js'
import { openMailboxes, signedInTo } from './imap-mailboxes.js'

const count = 500
const idleMs = 120_000

/** Each idle connection is a process of Dovecot. */
const manyConnections = `
default_client_limit = 4000
service imap {
  process_limit = ${2 * count}
}
service imap-login {
  process_limit = ${2 * count}
}
`

/** Runs on a platform of its own with a real Dovecot (dovecot-imapd of Debian, as root). */
export const mailIdle: Standalone = {
  name: 'mail-idle',
  what: `${count} mailboxes of a Dovecot in which nothing happens, received by one copy of mail; then a message in one of them`,

  async measureAlone() {
    const server = await dovecot(manyConnections)
    const distributed = await startDistributed({ OUTBOUND_PRIVATE_HOSTS: server.host, MAIL_MAILBOXES: String(2 * count) })
    const accountOf = (number: number) => ({
      host: server.host,
      port: server.ports.imap,
      user: `office-${number}`,
      password: server.password,
    })
    try {
      const processes = () => ({ mail: distributed.pidOf('mail-1'), postgres: distributed.pidOf('postgres') })
      const open = openMailboxes(distributed)
      // The first mailbox loads what all others share.
      const first = await open(accountOf(0))
      await first.received()
      const before = await settledKib([processes().mail])
      for (let number = 1; number <= count; number++) await (await open(accountOf(number))).received()
      const each = ((await settledKib([processes().mail])) - before) / count
      const [startedAt, usedBefore] = [performance.now(), cpuSecondsOf(processes())]
      await pause(idleMs)
      const [seconds, used] = [(performance.now() - startedAt) / 1000, cpuSecondsOf(processes())]
      const share = (name: 'mail' | 'postgres') => (((used[name] ?? 0) - (usedBefore[name] ?? 0)) / seconds) * 100
      const imap = await signedInTo(accountOf(0))
      await imap.append('INBOX', message(0))
      const appendedAt = performance.now()
      await first.stored(1, 10)
      const arrivedMs = performance.now() - appendedAt
      imap.close()
      const figures: Figure[] = [
        { what: 'mail-1: memory of a mailbox', value: each, unit: 'KiB', atMost: 400 },
        { what: 'mail-1: CPU', value: share('mail'), unit: '% of a core', atMost: 5 },
        { what: 'postgres: CPU', value: share('postgres'), unit: '% of a core' },
        { what: 'a new message to stored', value: arrivedMs, unit: 'ms', atMost: 2_000 },
      ]
      return figures
    } finally {
      await distributed.stop()
      await server.stop()
    }
  },
}
