import { createHash, randomBytes } from 'node:crypto'
import type { Audience, Caller } from '@caseway/kit/caller'
import { tokenInvalid } from '@caseway/kit/errors'
import type { TicketRepository } from './ticket.repository.js'

export const ticketLifetimeSeconds = 30

const ticketBytes = 32
/** What `issue` makes: anything else is refused without a look into the database. */
const form = /^[\w-]{43}$/

const hashOf = (ticket: string) => createHash('sha256').update(ticket).digest()

/** Tickets stand for a token where a browser cannot send one: each opens one stream, soon. Only their hashes are kept. */
export const ticketService = (tickets: TicketRepository) => ({
  async issue(caller: Caller): Promise<string> {
    const ticket = randomBytes(ticketBytes).toString('base64url')
    await tickets.keep(hashOf(ticket), caller, new Date(Date.now() + ticketLifetimeSeconds * 1000))
    return ticket
  },

  /** Whose ticket it is; it is good on the address on which it was issued. */
  async redeem(ticket: string, audience: Audience): Promise<Caller> {
    const held = form.test(ticket) ? await tickets.take(hashOf(ticket)) : undefined
    const caller = held && ({ ...held, audience: held.role === 'client' ? 'client' : 'expert' } as Caller)
    if (caller?.audience !== audience) throw tokenInvalid()
    return caller
  },
})

export type TicketService = ReturnType<typeof ticketService>
