/**
 * `refused`: the URL is not https, or its host does not resolve to public addresses only. `unreachable`: no connection, an invalid certificate, or a connection
 * that ended too early.
 */
export type OutboundReason = 'refused' | 'unreachable' | 'timeout' | 'too-large'

const messages: Record<OutboundReason, string> = {
  refused: 'The host is not reachable at a public address over HTTPS.',
  unreachable: 'The host did not answer.',
  timeout: 'The host did not answer in time.',
  'too-large': 'The answer of the host is too large.',
}

/** A request to an outside host failed. The message contains neither the host nor an address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    cause?: unknown,
  ) {
    super(messages[reason], { cause })
  }
}
