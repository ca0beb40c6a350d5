import type { Id } from '@caseway/kit/caller'
import { type IntegrationEvent, IntegrationState } from '@caseway/protos/partner/v1/events'
import type { Integration } from './integration.js'

interface Row extends Pick<Integration, 'id' | 'companyId' | 'name' | 'lumpTaxRate' | 'broken'> {
  readonly customerId: Id
  readonly userId: Id
  readonly version: number
}

const stateOf = ({ broken, companyId }: Row): IntegrationState => {
  if (broken) return IntegrationState.BROKEN
  return companyId === null ? IntegrationState.PENDING : IntegrationState.ACTIVE
}

/** The event with the state of an integration. */
export const integrationEvent = (row: Row): IntegrationEvent => ({
  ...{ id: row.id, customerId: row.customerId, userId: row.userId, state: stateOf(row), revision: BigInt(row.version) },
  ...{ companyId: row.companyId ?? '', name: row.name ?? '', lumpTaxRate: row.lumpTaxRate ?? '' },
})

/** The event of its deletion. */
export const deletedIntegrationEvent = (row: Row): IntegrationEvent => ({
  ...integrationEvent({ ...row, version: row.version + 1 }),
  state: IntegrationState.DELETED,
})
