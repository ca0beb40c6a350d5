import { isPrivateHost } from '@caseway/kit/outbound'
import { encryptions, protocols } from '../mail-connections/mailbox-access.js'

/** Shown in place of a password. Sent back, it leaves the password unchanged. */
export const mask = '********'

/** The columns of a mailbox without failures. They are set after a success, and when somebody corrects the mailbox or resumes it. */
export const healthy = { lastError: null, failures: 0, refusedLogins: 0, refusedSince: null }

/** The registered ports of each protocol (RFC 8314; IANA service names). */
const portsOf: Readonly<Record<number, readonly number[]>> = {
  [protocols.smtp]: [25, 465, 587],
  [protocols.imap]: [143, 993],
  [protocols.pop3]: [110, 995],
}

const implicitTls = [465, 993, 995]

/** The default encryption of a port. */
export const usualEncryption = (port: number): number => (implicitTls.includes(port) ? encryptions.tls : encryptions.startTls)

export interface Server {
  readonly serverProtocol: number
  readonly serverAddress: string
  readonly serverPort: number
}

/**
 * The error text for a port that may not be connected to; undefined where it may.
 * @param privateHosts the value of `OUTBOUND_PRIVATE_HOSTS`: hosts named there may use any port
 */
export function wrongPort({ serverProtocol, serverAddress, serverPort }: Server, privateHosts: readonly string[]): string | undefined {
  const ports = portsOf[serverProtocol] ?? []
  if (ports.includes(serverPort) || isPrivateHost(privateHosts, serverAddress, serverPort)) return undefined
  return `must be one of ${ports.join(', ')}`
}

interface Endpoint extends Server {
  readonly serverEncryption: number
}

/** Whether credentials entered for one server would be sent to another, or with other encryption. */
export const isElsewhere = (before: Endpoint, after: Endpoint): boolean =>
  before.serverProtocol !== after.serverProtocol ||
  before.serverAddress !== after.serverAddress ||
  before.serverPort !== after.serverPort ||
  before.serverEncryption !== after.serverEncryption
