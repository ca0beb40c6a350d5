import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { office, onViolation, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import type { Tokens } from '@caseway/kit/oauth'
import { integrationTopic } from '@caseway/protos/topics'
import type { Company } from '../accounting-platform/accounting-platform.js'
import type { Db, Tx } from '../database.js'
import { companyIntegrated, integrationFinal } from '../errors.js'
import type { IntegrationModel } from '../generated/models.js'
import type { Connected } from './auth-code.js'
import type { AuthCodeRepository, Claim } from './auth-code.repository.js'
import { type Choice, type Chosen, type Decision, decide, onlyCompany } from './integration.js'
import { integrationResource } from './integration.resource.js'
import { deletedIntegrationEvent, integrationEvent } from './integration-event.js'
import type { TokenRepository } from './token.repository.js'

/** The result of the exchange of a code. */
export interface Granted {
  readonly tokens: Tokens
  /** The active companies of the account. */
  readonly companies: readonly Company[]
}

type Happened = 'created' | 'completed' | 'changed' | 'broken' | 'deleted'

interface Parts {
  readonly codes: Pick<AuthCodeRepository, 'settle' | 'forget'>
  readonly tokens: Pick<TokenRepository, 'add' | 'release' | 'refreshNow'>
}

export const integrationRepository = (db: Db, { codes, tokens }: Parts) => {
  const reads = resourceReads(db, integrationResource)

  const publish = async (tx: Tx, row: IntegrationModel, happened: Happened) => {
    await outbox(tx, integrationTopic, happened === 'deleted' ? deletedIntegrationEvent(row) : integrationEvent(row))
    const subject = { kind: 'integration', id: row.id }
    await publishAudit(tx, { kind: `integration.${happened}`, customerId: row.customerId, subject })
  }

  const complete = async (tx: Tx, { customerId }: Employee, id: Id, chosen: Chosen) => {
    // Company and name are chosen once, even with concurrent requests.
    const isFirst = { OR: [{ companyId: null }, { companyId: chosen.companyId, name: chosen.name }] }
    const { count } = await tx.integration.updateMany({ where: { id, customerId, ...isFirst }, data: chosen })
    if (count === 0) throw integrationFinal()
    return tx.integration.findFirstOrThrow({ where: { id, customerId } })
  }

  return {
    find: reads.find,
    get: reads.get,
    list: reads.list,

    /** Stores the integration, its tokens and the outcome of the code in one transaction. @throws AppError COMPANY_INTEGRATED */
    async create(caller: Employee, claim: Claim, { tokens: granted, companies }: Granted): Promise<Connected> {
      const { customerId, userId } = caller
      const only = onlyCompany(companies)
      try {
        return await db.write(caller, async (tx) => {
          const data = { ...only, customerId, userId, companies: companies.map((company) => ({ ...company })) as object[] }
          const row = await tx.integration.create({ data })
          await tokens.add(tx, { customerId, integrationId: row.id }, granted)
          const connected: Connected = only
            ? { kind: 'complete', id: row.id, companyId: only.companyId, name: only.name, modified: row.modified }
            : { kind: 'choice', id: row.id, companies: companies.map(({ companyId, name }) => ({ companyId, name })) }
          await codes.settle(tx, claim, connected)
          await publish(tx, row, 'created')
          return connected
        })
      } catch (error) {
        throw onViolation(error, 'integrations_customer_id_company_id_key', companyIntegrated())
      }
    },

    /** @throws AppError `not-found`, `stale`, COMPANY_INTEGRATED, and what `decide` throws */
    async choose(caller: Employee, id: Id, choice: Choice, expected?: number): Promise<Decision> {
      const { customerId } = caller
      try {
        return await db.write(caller, async (tx) => {
          await reads.lock(tx, caller, id, expected)
          const row = await tx.integration.findFirstOrThrow({ where: { id, customerId } })
          const decision = decide({ ...row, companies: row.companies as unknown as Company[] }, choice)
          if (decision.kind === 'chosen') {
            const chosen = await complete(tx, caller, id, decision.chosen)
            await publish(tx, chosen, row.companyId === null ? 'completed' : 'changed')
          }
          return decision
        })
      } catch (error) {
        throw onViolation(error, 'integrations_customer_id_company_id_key', companyIntegrated())
      }
    },

    /** Deletes the integration. @param revoke whether its tokens are kept until the platform has revoked them */
    remove: (caller: Employee, id: Id, { revoke, expected }: { revoke: boolean; expected: number | undefined }): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        await codes.forget(tx, customerId, id)
        await tokens.release(tx, customerId, id, { revoke })
        await publish(tx, await tx.integration.delete({ where: { id, customerId } }), 'deleted')
      }),

    /** Marks an integration as broken, and publishes that unless it already was. */
    async markBroken(tx: Tx, id: Id): Promise<void> {
      const { count } = await tx.integration.updateMany({ where: { id, broken: false }, data: { broken: true } })
      if (count === 1) await publish(tx, await tx.integration.findFirstOrThrow({ where: { id } }), 'broken')
    },

    /** For the operator: refreshes the tokens now. @returns false where the office has no such integration */
    refreshNow: (customerId: Id, id: Id): Promise<boolean> => db.write(office(customerId), (tx) => tokens.refreshNow(tx, customerId, id)),
  }
}

export type IntegrationRepository = ReturnType<typeof integrationRepository>
