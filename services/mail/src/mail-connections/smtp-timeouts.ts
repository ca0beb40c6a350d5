import type { Timeouts } from './mail-dialer.js'

export interface SmtpTimeouts extends Timeouts {
  /** For the answer to the end of a message, in milliseconds. */
  readonly dotMs: number
}

/** Servers look through a message before they answer to its end, and nobody knows what becomes of one that has no answer (RFC 5321, 4.5.3.2). */
export const sendTimeouts: SmtpTimeouts = { connectMs: 15_000, greetingMs: 30_000, idleMs: 180_000, dotMs: 600_000 }
