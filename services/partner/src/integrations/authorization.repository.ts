import { publishAudit } from '@caseway/kit/audit'
import type { Employee } from '@caseway/kit/caller'
import type { AuthorizationRequest } from '@caseway/kit/oauth'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import { digestOf } from './auth-code.js'

/** The maximum that RFC 6749 4.1.2 recommends for codes. */
const lifetimeSeconds = 600

/** Authorization requests, by the hash of their `state`. Each is bound to the session and the office that began it. */
export const authorizationRepository = (db: Db, sealer: Sealer) => ({
  begin: (caller: Employee, { state, codeVerifier }: AuthorizationRequest) => {
    const id = digestOf(state)
    const verifier = sealer.seal(Buffer.from(codeVerifier), id.toString('hex'))
    const { customerId, sessionId } = caller
    return db.write(
      caller,
      (tx) => tx.$executeRaw`
        INSERT INTO authorizations (hash, customer_id, session_id, verifier, expires)
        VALUES (${id}, ${customerId}, ${sessionId}, ${verifier}, now() + ${lifetimeSeconds}::int * interval '1 second')`,
    )
  },

  /**
   * Redeems a `state`: it is valid for the first code that comes with it, however often that code is sent; after its lifetime only while the outcome of that
   * code is stored.
   * @returns the code verifier; undefined where the `state` is not valid for this code, session and office
   */
  redeem: (caller: Employee, state: string, code: string): Promise<string | undefined> =>
    db.write(caller, async (tx) => {
      const [id, codeHash] = [digestOf(state), digestOf(code)]
      const [found] = await tx.$queryRaw<{ verifier: Uint8Array }[]>`
        UPDATE authorizations SET code_hash = ${codeHash}
        WHERE hash = ${id} AND customer_id = ${caller.customerId} AND session_id = ${caller.sessionId}
          AND (code_hash IS NULL OR code_hash = ${codeHash})
          AND (expires > now() OR EXISTS (
            SELECT FROM auth_codes
            WHERE hash = authorizations.code_hash AND customer_id = ${caller.customerId} AND outcome IS NOT NULL))
        RETURNING verifier`
      return found && sealer.open(found.verifier, id.toString('hex')).toString()
    }),

  /** Records in the audit trail that somebody sent a `state` or an `iss` that is not valid for them. */
  recordRefusal: (caller: Employee, reason: 'state' | 'iss') =>
    db.write(caller, (tx) => publishAudit(tx, { kind: 'integration.refused', details: { reason } })),
})

export type AuthorizationRepository = ReturnType<typeof authorizationRepository>
