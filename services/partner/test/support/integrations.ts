import type { HttpAnswer, HttpClient, TestTenant } from '@caseway/testing'
import { type PlatformCompany, type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { type TestService, type TestServiceOptions, testService } from '@caseway/testing/service'
import { partner } from '../../src/wiring.js'

export type Administration = Awaited<ReturnType<typeof partner.start>>['administration']

/** A running service with a fake accounting platform. */
export interface Partner extends TestService<Administration> {
  readonly platform: TestPlatform
}

export async function startPartner({ variables, ...options }: TestServiceOptions = {}): Promise<Partner> {
  const platform = await testPlatform()
  const service = await testService(partner, { ...options, variables: { ...platform.variables, ...variables } })
  return {
    ...{ ...service, platform },
    async stop() {
      await service.stop()
      await platform.stop()
    },
  }
}

export const plain: PlatformCompany = { company_id: '501', name: 'Nowak', active: true, flat_rate: false }
export const another: PlatformCompany = { company_id: '502', name: 'Lis', active: true, flat_rate: false }
export const closed: PlatformCompany = { company_id: '503', name: 'Closed', active: false, flat_rate: false }
export const rates = ['3', '5.5', '8.5']
export const flat: PlatformCompany = {
  ...{ company_id: '504', name: 'Flat', active: true, flat_rate: true },
  ...{ lump_tax_rates: rates, default_lump_tax_rate: '5.5' },
}

interface Record {
  readonly id: string
  readonly company_id: string | null
  readonly name: string | null
  readonly lump_tax_rate: string | null
}

/** The union of the answers of all routes. */
export interface Answer {
  readonly PartnerOauth2?: Record & { readonly customer_id: string; readonly modified: string; readonly authorization_url: string }
  readonly results?: { readonly PartnerOauth2: Record }[]
  readonly id?: number
  readonly location?: string
  readonly errorMessages?: unknown
  readonly errorCode?: string
}

export const path = '/partner_oauth2'
export const post = (http: HttpClient, fields: object): Promise<HttpAnswer<Answer>> => http.post(path, { PartnerOauth2: fields })
export const put = (http: HttpClient, id: number | string, fields: object, headers = {}): Promise<HttpAnswer<Answer>> =>
  http.put(`${path}/${id}`, { PartnerOauth2: fields }, headers)
export const listOf = async (http: HttpClient): Promise<Record[]> =>
  (await http.get<Answer>(path)).body.results?.map(({ PartnerOauth2 }) => PartnerOauth2) ?? []

/** Returns an authorization code of a new account with these companies. */
export async function codeFor({ platform }: Partner, ...companies: PlatformCompany[]): Promise<string> {
  return (await platform.agree(await platform.account({ companies }))).code
}

/** Creates an office, with an HTTP client of its expert. */
export function newOffice(partner: Partner): TestTenant & { http: HttpClient } {
  const tenant = partner.office()
  return { ...tenant, http: partner.asExpert(tenant.expert) }
}

/** Creates an integration whose company has to be chosen, and returns its id. */
export async function pending(partner: Partner, http: HttpClient, ...companies: PlatformCompany[]): Promise<number> {
  const { status, body, text } = await post(http, { auth_code: await codeFor(partner, ...companies) })
  if (status !== 300 || body.id === undefined) throw new Error(text)
  return body.id
}

/** Creates a complete integration, and returns its id. */
export async function connected(partner: Partner, http: HttpClient, company = plain): Promise<string> {
  const { status, body, text } = await post(http, { auth_code: await codeFor(partner, company) })
  if (status !== 200 || !body.PartnerOauth2) throw new Error(text)
  return body.PartnerOauth2.id
}
