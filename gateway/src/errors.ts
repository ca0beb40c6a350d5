import { envelope } from '@caseway/kit/http'

/** The answer of a service did not begin in time. */
export class UpstreamTooSlow extends Error {
  constructor() {
    super('The answer did not begin in time.')
    this.name = 'UpstreamTooSlow'
  }
}

export const gatewayTimeout = envelope(504, 'The service took too long to answer.', 'GATEWAY_TIMEOUT')

/** Nobody reads this answer, because the caller disconnected before the body was complete; it makes the metrics count a client error. */
export const bodyCutOff = envelope(400, 'The body of the request was cut off.', 'BODY_CUT_OFF')
