import pTimeout from 'p-timeout'
import type { OpenImap } from './imap-connection.client.js'
import { MailConnectionError } from './mail-connection-error.js'
import type { MailProbe } from './mail-probe.js'
import { type MailboxAccess, protocols } from './mailbox-access.js'
import type { OpenPop3 } from './pop3-connection.js'

interface Parts {
  readonly openImap: OpenImap
  readonly openPop3: OpenPop3
  readonly trySmtp: (mailbox: MailboxAccess) => Promise<void>
  /** For the whole try, in milliseconds. */
  readonly timeoutMs: number
}

/** Tries a server over its protocol. A try that exceeds `timeoutMs` has failed with `protocol`; its connection ends by its own timeouts. */
export const mailProbe = ({ openImap, openPop3, trySmtp, timeoutMs }: Parts): MailProbe => {
  const attempt = async (mailbox: MailboxAccess): Promise<void> => {
    switch (mailbox.serverProtocol) {
      case protocols.imap: {
        const client = await openImap(mailbox)
        void client.logout().catch(() => client.close())
        return
      }
      case protocols.pop3:
        return (await openPop3(mailbox)).quit()
      default:
        return trySmtp(mailbox)
    }
  }

  return async (mailbox) => {
    try {
      await pTimeout(attempt(mailbox), { milliseconds: timeoutMs, message: new MailConnectionError('protocol') })
      return null
    } catch (error) {
      return error instanceof MailConnectionError ? error.failed : 'protocol'
    }
  }
}
