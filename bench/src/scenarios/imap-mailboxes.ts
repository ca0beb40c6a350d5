import { setTimeout as pause } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import type { DistributedPlatform } from '../platform/distributed.js'
import type { MailAccount } from '../platform/mail-peers.js'
import { type asExpert, expertsOf } from './requests.js'

const timeoutMs = 600_000

export interface ImapMailbox {
  close(): Promise<unknown>
  /** Resolves when all folders were fetched once. */
  received(): Promise<void>
  /** Resolves when `expected` messages are stored. */
  stored(expected: number, everyMs?: number): Promise<void>
}

/** Opens mailboxes, each for the expert of another office of the demo than the one before. */
export function openMailboxes(distributed: DistributedPlatform): (account: MailAccount) => Promise<ImapMailbox> {
  const { databases } = distributed
  const experts = expertsOf(distributed)
  let made = 0

  const until = async (selected: string, id: number, expected: number, everyMs: number) => {
    for (const deadline = performance.now() + timeoutMs; ; await pause(everyMs)) {
      const [row] = await databases.mail.rows<{ count: string }>(`SELECT count(*) FROM ${selected} = $1`, [id])
      if (Number(row?.count) >= expected) return
      if (performance.now() > deadline) throw new Error(`${row?.count} of ${expected} came within ${timeoutMs / 1000} s.`)
    }
  }
  return async ({ host, port, user, password }) => {
    made += 1
    const send = experts[made % experts.length] as ReturnType<typeof asExpert>
    const login = { user_name: 'Office', user_email: `office-${made}@caseway.example`, user_login: user, user_password: password }
    const server = { server_protocol: 2, server_address: host, server_port: port, server_encryption: '0', server_secure: '0' }
    const { id } = await send('POST', 'mail_server', { MailServer: { ...login, ...server } })
    return {
      close: () => send('DELETE', `mail_server/${id}`),
      received: () => until('mail_servers WHERE last_fetch_at IS NOT NULL AND id', id, 1, 100),
      stored: (expected, everyMs = 50) => until('mail_received_messages WHERE mail_server_id', id, expected, everyMs),
    }
  }
}

/** Connects to a mailbox, to append messages. */
export async function signedInTo({ host, port, user, password: pass }: MailAccount): Promise<ImapFlow> {
  const imap = new ImapFlow({ host, port, secure: false, doSTARTTLS: false, logger: false, auth: { user, pass } })
  imap.on('error', () => undefined)
  await imap.connect()
  return imap
}
