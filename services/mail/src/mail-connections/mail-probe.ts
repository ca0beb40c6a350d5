import type { Failed } from './mail-connection-error.js'
import type { MailboxAccess } from './mailbox-access.js'

/** Connects to a server, signs in and disconnects. @returns the step that failed, or null */
export type MailProbe = (mailbox: MailboxAccess) => Promise<Failed | null>
