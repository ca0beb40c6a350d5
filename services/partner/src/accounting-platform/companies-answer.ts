import { FieldError, line, schemaCheck } from '@caseway/kit/fields'
import Type, { type Static } from 'typebox'
import type { Company } from './accounting-platform.js'

const rate = Type.String({ pattern: '^(0|[1-9][0-9]?)(\\.[0-9]{1,2})?$' })

/** The answer to `GET {PARTNER_API_URL}/companies`. */
const CompaniesAnswer = Type.Object({
  companies: Type.Array(
    Type.Object({
      company_id: Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })]),
      name: Type.String({ minLength: 1 }),
      active: Type.Boolean(),
      flat_rate: Type.Boolean(),
      lump_tax_rates: Type.Optional(Type.Array(rate, { maxItems: 100 })),
      default_lump_tax_rate: Type.Optional(Type.Union([rate, Type.Null()])),
    }),
    { maxItems: 1000 },
  ),
})

const check = schemaCheck(CompaniesAnswer)
const oneLine = line({ max: 255, min: 1 })

/**
 * The companies in an answer of the platform.
 * @throws Error that names each invalid place, without values
 */
export function companiesIn(answer: unknown): Company[] {
  const wrong = Object.entries(check(answer, 'the answer')).map(([place, text]) => `${place} ${text}`)
  if (wrong.length > 0) throw new Error(`The companies are not as they should be: ${wrong.join('; ')}.`)
  const companies = (answer as Static<typeof CompaniesAnswer>).companies.map(companyOf)
  if (new Set(companies.map(({ companyId }) => companyId)).size < companies.length) throw new Error('A company is there more than once.')
  return companies
}

function companyOf(sent: Static<typeof CompaniesAnswer>['companies'][number]): Company {
  const rates = sent.flat_rate ? (sent.lump_tax_rates ?? []) : []
  // A default that is null, or not among the rates, is ignored.
  const usual = rates.find((one) => Number(one) === Number(sent.default_lump_tax_rate ?? Number.NaN))
  const company = {
    companyId: String(sent.company_id),
    name: sent.name,
    active: sent.active,
    flatRate: sent.flat_rate,
    lumpTaxRates: rates,
    defaultLumpTaxRate: usual ?? rates[0] ?? '',
  }
  for (const text of [company.companyId, company.name])
    if (oneLine.decode(text, 'UTC') instanceof FieldError) throw new Error('The id or the name of a company is no line of text.')
  if (company.flatRate && company.lumpTaxRates.length === 0) throw new Error('A company with flat-rate bookkeeping has no rates.')
  return company
}
