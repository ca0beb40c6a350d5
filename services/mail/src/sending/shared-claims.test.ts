import { describe, expect, it } from '@jest/globals'
import type { ClaimedMessage } from './queued-message.js'
import { type ClaimMore, sharedClaims } from './shared-claims.js'

const message = (id: bigint) => ({ id }) as ClaimedMessage
const [first, second, third] = [message(1n), message(2n), message(3n)]

/** Claims that return these messages, one list after the other, and then none. */
const claiming = (...claims: ClaimedMessage[][]) => sharedClaims(async () => claims.shift() ?? [])

/** A claim that ends when `end` is called. */
function slowClaim() {
  const { promise, resolve: end } = Promise.withResolvers<readonly ClaimedMessage[]>()
  return { claimMore: (() => promise) satisfies ClaimMore, end }
}

describe('the claims that sessions share', () => {
  it('are made once for sessions that ask at the same time', async () => {
    let claims = 0
    const shared = sharedClaims(async () => (claims++ === 0 ? [first, second] : []))
    expect(await Promise.all([shared.next(), shared.next()])).toEqual([first, second])
    expect(claims).toBe(1)
  })

  it('are over when none is due and all are settled', async () => {
    const shared = claiming([first])
    expect(await shared.next()).toBe(first)
    const other = shared.next()
    shared.settled()
    expect(await other).toBeUndefined()
  })

  it('go on for a session while another one has a message that is not settled', async () => {
    const shared = claiming([first], [], [second])
    expect(await shared.next()).toBe(first)
    expect(await shared.next()).toBe(second)
  })

  it('count the messages that are not settled', async () => {
    const counts: number[] = []
    const shared = sharedClaims(async (unsettled) => {
      counts.push(unsettled)
      return counts.length < 3 ? [first] : []
    })
    await shared.next()
    await shared.next()
    shared.settled()
    shared.settled()
    await shared.next()
    expect(counts).toEqual([0, 1, 0])
  })

  it('return a message that was given back before all others', async () => {
    const shared = claiming([first, second])
    await shared.next()
    shared.giveBack(first)
    expect([await shared.next(), await shared.next()]).toEqual([first, second])
  })

  it('end with a fault, and the messages that no session has begun are released', async () => {
    const shared = claiming([first, second], [third])
    await shared.next()
    shared.stop(first)
    expect(await shared.next()).toBeUndefined()
    expect(shared.toRelease).toEqual([first, second])
  })

  it('are taken by no session where the fault occurs during a claim', async () => {
    const { claimMore, end } = slowClaim()
    const shared = sharedClaims(claimMore)
    const waiting = shared.next()
    shared.stop(first)
    end([second])
    expect(await waiting).toBeUndefined()
    expect(shared.unsent).toEqual([second])
  })
})
