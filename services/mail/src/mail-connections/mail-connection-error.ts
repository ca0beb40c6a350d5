import { OutboundError } from '@caseway/kit/outbound'

/**
 * The step of a connection that failed. `dns`: the name has no address, or one that is not public. `connect`: the server does not answer. `tls`: no
 * encryption, or an invalid certificate. `auth`: the login was refused. `protocol`: the server does not speak the protocol, or not in time.
 */
export type Failed = 'dns' | 'connect' | 'tls' | 'auth' | 'protocol'

const messages: Record<Failed, string> = {
  dns: 'The mail server was not found.',
  connect: 'The mail server did not answer.',
  tls: 'The connection to the mail server could not be encrypted, or its certificate is not valid.',
  auth: 'The mail server refused the login.',
  protocol: 'The mail server did not answer as its protocol demands, or not in time.',
}

/** Why a mailbox could not be opened. It contains no text of the server: a server may repeat a password. */
export class MailConnectionError extends Error {
  override readonly name = 'MailConnectionError'

  constructor(readonly failed: Failed) {
    super(messages[failed])
  }
}

const ofTls = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO$|INVALID_CA)/

const ofConnect = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'EACCES',
])

/** The step that failed, by an error of a socket or of the guarded resolver; undefined for any other error. */
export function failedOf(error: unknown): Failed | undefined {
  if (error instanceof MailConnectionError) return error.failed
  if (error instanceof OutboundError) return 'dns'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (ofTls.test(code)) return 'tls'
  return ofConnect.has(code) ? 'connect' : undefined
}
