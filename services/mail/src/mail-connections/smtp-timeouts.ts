import type { Timeouts } from './mail-dialer.js'

export interface SmtpTimeouts extends Timeouts {
  /** The timeout for the answer to the end of a message, in milliseconds. */
  readonly dotMs: number
}

/** `dotMs` is long: servers scan a message before they answer its end, and without that answer the delivery is uncertain (RFC 5321, 4.5.3.2). */
export const sendTimeouts: SmtpTimeouts = { connectMs: 15_000, greetingMs: 30_000, idleMs: 180_000, dotMs: 600_000 }
