import type { Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { Company } from '../accounting-platform/accounting-platform.js'
import { integrationBroken, integrationFinal } from '../errors.js'

/** An office connected with a company on the accounting platform; without `companyId` while the company has not been chosen. */
export interface Integration {
  readonly id: Id
  readonly companyId: string | null
  readonly name: string | null
  readonly lumpTaxRate: string | null
  /** The companies that could be chosen when it was created. */
  readonly companies: readonly Company[]
  /** The platform has refused its tokens. */
  readonly broken: boolean
}

/** What a caller asks for. */
export interface Choice {
  readonly companyId?: string | undefined
  readonly name?: string | undefined
  readonly lumpTaxRate?: string | undefined
}

export interface Chosen {
  readonly companyId: string
  readonly name: string
  readonly lumpTaxRate: string | null
}

/** The result of a choice: `rates` where the caller must choose a rate as well, `chosen` where it is to be stored, `unchanged` where it is stored already. */
export type Decision =
  | { readonly kind: 'rates'; readonly company: Company }
  | { readonly kind: 'chosen'; readonly chosen: Chosen }
  | { readonly kind: 'unchanged' }

/** The company of an account with one active company without flat-rate bookkeeping; otherwise undefined, because there is a choice. */
export function onlyCompany(active: readonly Company[]): Chosen | undefined {
  const [company, ...others] = active
  if (!company || others.length > 0 || company.flatRate) return undefined
  return { companyId: company.companyId, name: company.name, lumpTaxRate: null }
}

/**
 * Decides on a choice. Company and name can be chosen once; the rate may be changed to another one of the company.
 * @throws AppError `invalid`, INTEGRATION_FINAL, INTEGRATION_BROKEN
 */
export function decide(integration: Integration, choice: Choice): Decision {
  return integration.companyId === null ? first(integration, choice) : again(integration, integration.companyId, choice)
}

function first({ companies, broken }: Integration, { companyId, name, lumpTaxRate }: Choice): Decision {
  if (companyId === undefined) throw invalid({ company_id: 'is required' })
  const company = companies.find((company) => company.companyId === companyId)
  if (!company) throw invalid({ company_id: 'is not one of the companies to choose from' })
  if (broken) throw integrationBroken()
  const rate = offeredRate(company, lumpTaxRate)
  if (company.flatRate && rate === null) return { kind: 'rates', company }
  return { kind: 'chosen', chosen: { companyId, name: name ?? company.name, lumpTaxRate: rate } }
}

function again(integration: Integration, companyId: string, choice: Choice): Decision {
  const { name, lumpTaxRate, companies, broken } = integration
  if ((choice.companyId ?? companyId) !== companyId || (choice.name ?? name) !== name) throw integrationFinal()
  const company = companies.find((company) => company.companyId === companyId)
  const rate = company ? offeredRate(company, choice.lumpTaxRate) : null
  if (name === null || rate === null || rate === lumpTaxRate) return { kind: 'unchanged' }
  if (broken) throw integrationBroken()
  return { kind: 'chosen', chosen: { companyId, name, lumpTaxRate: rate } }
}

/** The rate as the platform writes it; null where none was sent. @throws AppError `invalid` when it is not offered */
function offeredRate({ flatRate, lumpTaxRates }: Company, sent: string | undefined): string | null {
  if (sent === undefined) return null
  if (!flatRate) throw invalid({ lump_tax_rate: 'is for companies with flat-rate bookkeeping only' })
  const offered = lumpTaxRates.find((rate) => Number(rate) === Number(sent))
  if (offered === undefined) throw invalid({ lump_tax_rate: `must be one of ${lumpTaxRates.join(', ')}` })
  return offered
}
