import { AppError } from '@caseway/kit/errors'
import { email, FieldError, line, nullable, required, writable } from '@caseway/kit/fields'
import { action, type Body, type Routes, wrappedBody } from '@caseway/kit/http'
import { externalId } from '../accounting-platform/external-id.field.js'
import { nameOf } from '../accounting-platform/name.field.js'
import type { ClientDataChanges } from './client-data.js'
import { notValid } from './client-data-errors.js'
import type { PartnerClientDataService } from './partner-client-data.service.js'

const maxEmail = 64

/** An e-mail address with the maximum length of the specification, which is shorter than elsewhere. */
const shortEmail: typeof email = {
  ...email,
  input: { ...email.input, maxLength: maxEmail },
  decode(wire, zone) {
    const value = email.decode(wire, zone)
    return typeof value === 'string' && value.length > maxEmail ? new FieldError(`must be at most ${maxEmail} characters`) : value
  },
}
const name = nameOf({ max: 100 })

const fields = wrappedBody('PartnerClientData', {
  external_user_id: required(externalId),
  email: writable(shortEmail),
  firstname: writable(name),
  lastname: writable(name),
  company_name: writable(nullable(line({ max: 255 }))),
})

type Values = typeof fields extends Body<infer Value> ? Value : never

/** The body, whose errors are all in one text. */
const body: Body<Values> = {
  schema: fields.schema,
  read(sent, zone) {
    try {
      return fields.read(sent, zone)
    } catch (error) {
      if (!(error instanceof AppError && error.fields)) throw error
      throw notValid(
        Object.entries(error.fields)
          .map(([field, text]) => `${field} ${text}.`)
          .join(' '),
      )
    }
  },
}

const sentOf = ({ externalUserId: _, companyName, ...sent }: Values): ClientDataChanges => ({
  ...sent,
  // Without a name there is no company.
  ...(companyName !== undefined && { companyName: companyName ?? '' }),
})

const message = {
  anyOf: [
    {
      ...{ type: 'object', required: ['updated', 'user_client_id', 'updated_initiators'] },
      properties: {
        updated: { type: 'boolean', enum: [true] },
        user_client_id: { type: 'string', description: 'The id of the client.' },
        updated_initiators: { type: 'integer', description: 'Number of business cards of the client, of all offices.' },
      },
    },
    { type: 'object', required: ['updated'], properties: { updated: { type: 'boolean', enum: [false] } } },
  ],
}

const success = {
  description: 'The data were changed, or were already the same.',
  ...{ type: 'object', required: ['status', 'message'] },
  properties: { status: { type: 'string', enum: ['success'] }, message },
}

const refused = {
  description: 'The body is invalid: one text with VALIDATION_FAILED. Or it could not be parsed.',
  content: { 'application/json': { schema: { anyOf: [{ $ref: 'Error#' }, { $ref: 'FieldErrors#' }] } } },
}

/** The route by which the technical account of the accounting platform changes data of clients. */
export const partnerClientDataRoutes = (service: PartnerClientDataService): Routes =>
  action(
    { name: 'PartnerClientData', path: 'partner_client_data' },
    {
      ...{ method: 'POST', path: '', operationId: 'changeClientData', body, roles: ['technical'], idempotency: 'claimed', errors: [404] },
      summary: 'Changes e-mail, names and company of a client, in their account and on the business cards of every office.',
      answers: { 200: success, 400: refused },
    },
    async ({ caller, body }) => {
      const done = await service.change(caller, body.externalUserId, sentOf(body))
      const changed = done.state === 'changed'
      const message = changed
        ? { updated: true, user_client_id: String(done.userClientId), updated_initiators: done.updatedInitiators }
        : { updated: false }
      return { status: 'success', message }
    },
  )
