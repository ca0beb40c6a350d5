/**
 * `refused`: the URL is not https, or its host does not resolve to public addresses alone. `unreachable`: no connection, an invalid certificate, or one that
 * ended too early.
 */
export type OutboundReason = 'refused' | 'unreachable' | 'timeout' | 'too-large'

const messages: Record<OutboundReason, string> = {
  refused: 'The host is not reachable at a public address over HTTPS.',
  unreachable: 'The host did not answer.',
  timeout: 'The host did not answer in time.',
  'too-large': 'The answer of the host is too large.',
}

/** Why a request to an outside host has no answer. Its message names neither the host nor an address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    cause?: unknown,
  ) {
    super(messages[reason], { cause })
  }
}
