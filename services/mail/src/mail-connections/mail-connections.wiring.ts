import { type DialerConfig, guardedMailDialer } from './guarded-mail-dialer.client.js'
import { imapConnection } from './imap-connection.client.js'
import { tryTimeouts } from './mail-dialer.js'
import { mailProbe } from './mail-probe.client.js'
import { pop3Connection } from './pop3-connection.client.js'
import { smtpTransport, trySmtp } from './smtp-connection.client.js'
import { smtpPool } from './smtp-pool.client.js'
import { smtpSession } from './smtp-session.client.js'

/** Less than the timeout of the gateway. */
const tryTimeoutMs = 4500

/** The most SMTP connections of one mailbox. */
const sessions = 3
/** How long an unused connection is kept. */
const idleMs = 30_000

/** Opens connections to mail servers. */
export function wireMailConnections(config: DialerConfig) {
  const dial = guardedMailDialer(config)
  const tried = { openImap: imapConnection(dial, tryTimeouts), openPop3: pop3Connection(dial, tryTimeouts) }
  const probe = mailProbe({ ...tried, trySmtp: trySmtp(smtpTransport(dial, tryTimeouts)), timeoutMs: tryTimeoutMs })
  const pool = smtpPool(smtpSession(dial), { max: sessions, idleMs })
  return { openImap: imapConnection(dial), openPop3: pop3Connection(dial), probe, smtp: { pool, sessions } }
}
