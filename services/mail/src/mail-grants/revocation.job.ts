import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { RetiredGrant } from './grant.js'

interface Payload {
  readonly customerId: string
  readonly grantId: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** A provider that does not answer is asked again for three days; then the tokens are only deleted here. */
const givenUpMs = 3 * 86_400_000

const job = defineJob<Payload>({
  name: 'mail-grant-revocation',
  key: ({ grantId }) => grantId,
  retry: { maxMs: 3_600_000 },
})

/** Enqueues the revocation, in the transaction that retires the grant. */
export const enqueueRevocation = (tx: Tx, { id, customerId }: { readonly id: Id; readonly customerId: Id }): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), grantId: String(id), until: Date.now() + givenUpMs }, { dedupe: String(id) })

interface Parts {
  readonly grants: {
    retired(customerId: Id, id: Id): Promise<RetiredGrant | null>
    isHeldElsewhere(grant: RetiredGrant): Promise<boolean>
    forget(tx: Tx, grant: RetiredGrant): Promise<unknown>
  }
  /** @throws AppError `unavailable` where the provider does not answer */
  readonly revoke: (grant: RetiredGrant) => Promise<void>
}

/**
 * Revokes tokens at their provider (RFC 7009) and deletes them. A provider may end all access to an account when one token is revoked, so that
 * nothing is revoked while another mailbox of the office has the same address.
 */
export const revocationJob = ({ grants, revoke }: Parts): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const { customerId, grantId, until } = run.payload
    const grant = await grants.retired(BigInt(customerId), BigInt(grantId))
    if (!grant) return
    if (Date.now() < until && !(await grants.isHeldElsewhere(grant))) await revoke(grant)
    await run.finish((tx) => grants.forget(tx as Tx, grant))
  })
