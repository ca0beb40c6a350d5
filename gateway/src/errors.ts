import { envelope } from '@caseway/kit/http'

/** A service whose answer did not begin in time. */
export class UpstreamTooSlow extends Error {
  constructor() {
    super('The answer did not begin in time.')
    this.name = 'UpstreamTooSlow'
  }
}

export const gatewayTimeout = envelope(504, 'The service took too long to answer.', 'GATEWAY_TIMEOUT')

/** Nobody reads it: the caller has gone before their body was whole. In the metrics it is a failure of theirs. */
export const bodyCutOff = envelope(400, 'The body of the request was cut off.', 'BODY_CUT_OFF')

export const methodNotAllowed = envelope(405, 'This method is not allowed here.', 'METHOD_NOT_ALLOWED')
