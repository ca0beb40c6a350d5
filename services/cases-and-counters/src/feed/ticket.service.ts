import { createHash, randomBytes } from 'node:crypto'
import type { Audience, Caller } from '@caseway/kit/caller'
import { tokenInvalid } from '@caseway/kit/errors'
import type { TicketRepository } from './ticket.repository.js'

export const ticketLifetimeSeconds = 30

const ticketBytes = 32
/** The form of tickets; anything else is refused without a query. */
const form = /^[\w-]{43}$/

const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest()

/** Tickets for browsers that cannot send a token: each opens one stream within a short time. Only hashes are stored. */
export const ticketService = (tickets: TicketRepository) => ({
  async issue(caller: Caller): Promise<string> {
    const ticket = randomBytes(ticketBytes).toString('base64url')
    await tickets.keep(hashOf(ticket), caller, ticketLifetimeSeconds)
    return ticket
  },

  /** The holder of a ticket, which is only valid on the address on which it was issued. @throws AppError `unauthenticated` */
  async redeem(ticket: string, audience: Audience): Promise<Caller> {
    const held = form.test(ticket) ? await tickets.take(hashOf(ticket)) : undefined
    const caller = held && ({ ...held, audience: held.role === 'client' ? 'client' : 'expert' } as Caller)
    if (caller?.audience !== audience) throw tokenInvalid()
    return caller
  },
})

export type TicketService = ReturnType<typeof ticketService>
