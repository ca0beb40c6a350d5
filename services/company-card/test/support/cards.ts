import { customerTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import type { HttpClient, TestTenant } from '@caseway/testing'
import { customer } from '@caseway/testing/fake-auth'
import { type FakeFiles, fakeFiles, file } from '@caseway/testing/fake-files'
import { png } from '@caseway/testing/images'
import { type TestService, type TestServiceOptions, testService } from '@caseway/testing/service'
import { companyCard } from '../../src/wiring.js'

export type Administration = Awaited<ReturnType<typeof companyCard.start>>['administration']

/** The service, with the offices of its tests. */
export interface Cards extends TestService<Administration> {
  readonly files: FakeFiles
  /** Creates an office whose profile has arrived at the service. */
  knownOffice(profile?: Parameters<typeof customer>[0] extends infer Fields ? Partial<Fields> : never): Promise<TestTenant>
}

export async function startCards({ variables, ...options }: TestServiceOptions = {}): Promise<Cards> {
  const files = await fakeFiles()
  const service = await testService(companyCard, { ...options, variables: { [grpcAddressVariable('files')]: files.address, ...variables } })
  return {
    ...{ ...service, files },
    async stop() {
      await service.stop()
      await files.stop()
    },
    async knownOffice(profile) {
      const tenant = service.office()
      await service.publish(customerTopic, customer({ name: 'Nowak', ...profile, id: tenant.customerId }))
      return tenant
    },
  }
}

/** The required fields of a POST. */
export const required = { name: 'Nowak and Partners', street: 'Piotrkowska 1', zip: '90-001', city: 'Łódź' }

/** Creates the card of an office, and returns its id. */
export async function createCard(http: HttpClient, fields: object = {}): Promise<number> {
  const { status, text, body } = await http.post<{ id: number }>('/company_card', { CompanyCard: { ...required, ...fields } })
  if (status !== 201) throw new Error(text)
  return body.id
}

type Card = Record<string, string | number | null>

/** The card as its office reads it. */
export const cardOf = async (http: HttpClient, path = '/company_card'): Promise<Card> =>
  (await http.get<{ CompanyCard: Card }>(path)).body.CompanyCard

/** The version of a card, which an approval names. */
export const versionOf = async ({ database }: Pick<Cards, 'database'>, id: number | bigint): Promise<number> => {
  const [row] = await database.rows<{ version: number }>('SELECT version FROM company_cards WHERE id = $1', [id])
  if (!row) throw new Error(`There is no card ${id}.`)
  return row.version
}

/** Approves a submitted card. */
export const approveCard = async (cards: Cards, id: number): Promise<void> =>
  cards.service.administration.reviews.approve(BigInt(id), await versionOf(cards, id))

/** Submits and approves the card. */
export async function publishCard(cards: Cards, http: HttpClient, id: number): Promise<void> {
  await http.put(`/company_card/${id}/submit`, undefined)
  await approveCard(cards, id)
}

/** Adds a file of an office to the fake of files, and returns its id. */
export function newFile(
  { files }: Cards,
  { customerId }: Pick<TestTenant, 'customerId'>,
  bytes: Buffer,
  fields: Parameters<typeof file>[0] | object = {},
) {
  const added = file({ name: 'logo.png', mime: 'image/png', ...fields, customerId })
  files.files.push(added)
  files.contents.set(added.id, bytes)
  return String(added.id)
}

/** Sets the logo of a card. */
export async function setLogo(cards: Cards, office: TestTenant, id: number, bytes = png): Promise<void> {
  const body = { CompanyCard: { common_file_id: newFile(cards, office, bytes) } }
  const { status, text } = await cards.asExpert(office.expert).put(`/company_card/${id}/logo`, body)
  if (status !== 200) throw new Error(text)
}
