import type { Audience } from '@caseway/kit/caller'
import { flagText, integerText, line, nullable, required, timestamp } from '@caseway/kit/fields'
import { action, ok, type Routes, wrappedBody } from '@caseway/kit/http'
import { currentPassword } from '../passwords/password.field.js'
import type { OwnSecondFactorService } from './own-second-factor.service.js'

/** Whose second factor the routes are about: the path below which they stand, and the address on which. */
interface Owner {
  readonly path: string
  readonly audience: Audience
}

const wrapper = 'SecondFactor'
const count = integerText({ min: 0, max: 10 })
const confirmed = nullable(timestamp)
const text = { type: 'string' }

const wrapped = (description: string, properties: object) => {
  const object = { type: 'object', properties, required: Object.keys(properties) }
  return { description, type: 'object', properties: { [wrapper]: object }, required: [wrapper] }
}
const answers = {
  state: wrapped('The state of the second factor.', {
    ...{ enabled: flagText.output, confirmed: confirmed.output, recovery_codes_left: count.output, required: flagText.output },
  }),
  secret: wrapped(
    'The secret for an authenticator app, also as the URI for a QR code. It is not shown again, and has to be confirmed within ten minutes.',
    {
      secret: text,
      uri: text,
    },
  ),
  codes: wrapped('The recovery codes. They are not shown again.', { recovery_codes: { type: 'array', items: text } }),
}

const otp = line({ max: 64 })
const credentials = wrappedBody(wrapper, { current_password: required(currentPassword), otp })
const confirmation = wrappedBody(wrapper, { otp: required(otp) })

/** These routes are open to a person without a second factor, even if the office requires one. */
const allowsMissingSecondFactor = true

/**
 * The caller's own second factor: POST begins its setup, PUT with a first code confirms it, DELETE removes it. Answers with secrets are not stored for
 * `Idempotency-Key`.
 */
export function ownSecondFactorRoutes({ path, audience }: Owner, factors: OwnSecondFactorService): Routes {
  const owner = { name: wrapper, path, audience }
  const [own, codes] = ['second_factor', 'second_factor/recovery_code']
  return [
    action(
      owner,
      { method: 'GET', path: own, operationId: 'getSecondFactor', answers: { 200: answers.state }, allowsMissingSecondFactor },
      async ({ caller, reply }) => {
        const { confirmed: since, recoveryCodesLeft, required } = await factors.get(caller)
        const zone = await reply.server.space.zones(caller.customerId)
        return {
          [wrapper]: {
            enabled: flagText.encode(since !== null, zone),
            confirmed: since && timestamp.encode(since, zone),
            recovery_codes_left: count.encode(recoveryCodesLeft, zone),
            required: flagText.encode(required, zone),
          },
        }
      },
    ),
    action(
      owner,
      {
        ...{ method: 'POST', path: own, operationId: 'beginSecondFactor', idempotency: 'none', allowsMissingSecondFactor },
        ...{ body: credentials, answers: { 201: answers.secret } },
      },
      async ({ caller, body, reply }) => {
        reply.code(201)
        return { [wrapper]: await factors.begin(caller, body) }
      },
    ),
    action(
      owner,
      {
        ...{ method: 'PUT', path: own, operationId: 'confirmSecondFactor', allowsMissingSecondFactor },
        ...{ body: confirmation, answers: { 200: answers.codes }, errors: [409] },
      },
      async ({ caller, body }) => ({ [wrapper]: { recovery_codes: await factors.confirm(caller, body.otp) } }),
    ),
    action(
      owner,
      {
        ...{ method: 'DELETE', path: own, operationId: 'deleteSecondFactor' },
        ...{ body: credentials, answers: { 200: ok }, errors: [404, 409] },
      },
      ({ caller, body }) => factors.remove(caller, body),
    ),
    action(
      owner,
      {
        ...{ method: 'POST', path: codes, operationId: 'renewRecoveryCodes', idempotency: 'none' },
        ...{ body: credentials, answers: { 201: answers.codes }, errors: [404] },
      },
      async ({ caller, body, reply }) => {
        reply.code(201)
        return { [wrapper]: { recovery_codes: await factors.renewCodes(caller, body) } }
      },
    ),
  ]
}
