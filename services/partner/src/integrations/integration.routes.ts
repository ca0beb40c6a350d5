import { experts, type Id } from '@caseway/kit/caller'
import { amount, idText, line, nullable, required, timestamp } from '@caseway/kit/fields'
import { action, ok, type Routes, resourceRoutes, type Space, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { externalId } from '../accounting-platform/external-id.field.js'
import { nameOf } from '../accounting-platform/name.field.js'
import type { OfferedCompany } from './auth-code.js'
import { integrationResource } from './integration.resource.js'
import type { IntegrationService } from './integration.service.js'

const { name: wrapper, path, right } = integrationResource
const writers = { roles: experts, right }

const answer = wrappedBody(wrapper, { auth_code: required(line({ max: 2048 })), state: line({ max: 255 }), iss: line({ max: 2048 }) })
const rate = nullable(amount)
const choice = wrappedBody(wrapper, { company_id: externalId, name: nameOf({ max: 255 }), lump_tax_rate: rate, tax_rate: rate })

const text = Type.String()
const address = Type.Object(
  { [wrapper]: Type.Object({ authorization_url: text, state: text }) },
  { description: 'The URL at which the person gives consent.' },
)
const complete = Type.Object(
  { [wrapper]: Type.Object({ id: text, customer_id: text, company_id: text, name: text, modified: text }) },
  { description: 'The integration is complete.' },
)
const pending = { status: Type.Enum(['error']), errorMessage: text, id: Type.Integer(), location: text }
const companiesToChoose = Type.Object(
  { ...pending, companies: Type.Record(text, Type.Object({ company_id: text, name: text })) },
  { description: 'A company has to be chosen: a PUT to `location` names one of `companies`, which are keyed by their ids.' },
)
const ratesToChoose = Type.Object(
  { ...pending, lump_tax_rates: Type.Array(text), default_lump_tax_rate: text },
  { description: 'The company uses flat-rate bookkeeping: the PUT is repeated with one of the rates.' },
)

/** The common part of an answer 300, which asks for a choice: the error, and the integration. */
const pendingAt = ({ url }: Space, id: Id, errorMessage: string) => {
  return { status: 'error', errorMessage, id: Number(id), location: `${url}/rest/${path}/${id}` }
}

const keyed = (companies: readonly OfferedCompany[]) =>
  Object.fromEntries(companies.map(({ companyId, name }) => [companyId, { company_id: companyId, name }]))

export const integrationRoutes = ({ list, get, remove, authorize, connect, choose }: IntegrationService): Routes => [
  resourceRoutes(integrationResource, { list, get, remove }),
  action(
    integrationResource,
    {
      ...{ method: 'GET', path: 'authorize', operationId: 'authorizePartnerOauth2', ...writers, answers: { 200: address } },
      summary: 'Begins an authorization at the accounting platform. One code is accepted, in this session, for ten minutes.',
    },
    async ({ caller }) => {
      const { url, state } = await authorize(caller)
      return { [wrapper]: { authorization_url: url, state } }
    },
  ),
  action(
    integrationResource,
    {
      ...{ method: 'POST', path: '', operationId: 'createPartnerOauth2', ...writers, idempotency: 'claimed', body: answer },
      ...{ summary: 'Exchanges a code of the accounting platform for tokens.', answers: { 200: complete, 300: companiesToChoose } },
    },
    async ({ caller, body, reply }) => {
      const { space } = reply.server
      const connected = await connect(caller, body)
      if (connected.kind === 'choice') {
        reply.code(300)
        return { ...pendingAt(space, connected.id, 'Choose a company.'), companies: keyed(connected.companies) }
      }
      const zone = await space.zones(caller.customerId)
      const { id, companyId: company_id, name, modified } = connected
      const ids = { id: idText.encode(id, zone), customer_id: idText.encode(caller.customerId, zone), company_id }
      return { [wrapper]: { ...ids, name, modified: timestamp.encode(modified, zone) } }
    },
  ),
  action(
    integrationResource,
    {
      ...{ method: 'PUT', path: ':id', operationId: 'changePartnerOauth2', ...writers, versioned: true, body: choice },
      ...{ summary: 'Chooses the company. The choice is final.', answers: { 200: ok, 300: ratesToChoose }, errors: [409] },
    },
    async ({ caller, id, body: { lumpTaxRate, taxRate, ...chosen }, expected, reply }) => {
      const decision = await choose(caller, id, { ...chosen, lumpTaxRate: lumpTaxRate ?? taxRate ?? undefined }, expected)
      if (decision.kind !== 'rates') return undefined
      reply.code(300)
      const { lumpTaxRates: lump_tax_rates, defaultLumpTaxRate: default_lump_tax_rate } = decision.company
      return { ...pendingAt(reply.server.space, id, 'Choose a flat rate.'), lump_tax_rates, default_lump_tax_rate }
    },
  ),
]
