import { isPrivateHost } from '@caseway/kit/outbound'
import { encryptions, protocols } from '../mail-connections/mailbox-access.js'

/** Stands for a password that is not shown. Sent back, it changes nothing. */
export const mask = '********'

/** The columns of a mailbox that has no failures: after a success, and when somebody sets it right or starts it again. */
export const healthy = { lastError: null, failures: 0, refusedLogins: 0, refusedSince: null }

/** The ports that the protocols are served on (RFC 8314; IANA service names). */
const portsOf: Readonly<Record<number, readonly number[]>> = {
  [protocols.smtp]: [25, 465, 587],
  [protocols.imap]: [143, 993],
  [protocols.pop3]: [110, 995],
}

const implicitTls = [465, 993, 995]

/** What protects the connection where nobody said it: what the port is for. */
export const usualEncryption = (port: number): number => (implicitTls.includes(port) ? encryptions.tls : encryptions.startTls)

export interface Server {
  readonly serverProtocol: number
  readonly serverAddress: string
  readonly serverPort: number
}

/**
 * Why a port may not be connected to; undefined when it may.
 * @param privateHosts as `OUTBOUND_PRIVATE_HOSTS` says: what is named there may be on any port
 */
export function wrongPort({ serverProtocol, serverAddress, serverPort }: Server, privateHosts: readonly string[]): string | undefined {
  const ports = portsOf[serverProtocol] ?? []
  if (ports.includes(serverPort) || isPrivateHost(privateHosts, serverAddress, serverPort)) return undefined
  return `must be one of ${ports.join(', ')}`
}

interface Endpoint extends Server {
  readonly serverEncryption: number
}

/** Whether what was entered for one server would be sent to another, or less protected. */
export const isElsewhere = (before: Endpoint, after: Endpoint): boolean =>
  before.serverProtocol !== after.serverProtocol ||
  before.serverAddress !== after.serverAddress ||
  before.serverPort !== after.serverPort ||
  before.serverEncryption !== after.serverEncryption
