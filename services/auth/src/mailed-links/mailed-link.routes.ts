import { email, required } from '@caseway/kit/fields'
import { type App, type Body, networksOf, ok, plainBody, publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import type { Limit } from '@caseway/kit/limits'
import Type from 'typebox'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import { newPassword } from '../passwords/new-password.field.js'
import type { Presented, ProvenAddressService } from './proven-address.service.js'

/** The maximum size of a body, in bytes; it is small because the requests are not authenticated. */
const bodyLimit = 65_536

const done = { status: 'OK' }
const tokenParameter = Type.Object({ token: Type.String({ maxLength: 64, description: 'The token of the link in the mail.' }) })

interface PublicPost<Value> {
  readonly url: string
  readonly operationId: string
  readonly summary: string
  readonly body?: Body<Value>
}

/** A POST that needs no token. */
function publicPost<Value>(app: App, post: PublicPost<Value>, run: (value: Value, presented: Presented) => Promise<void>): void {
  const { url, operationId, summary, body } = post
  const schema = {
    ...{ operationId, tags: ['Account'], summary },
    ...(body && { body: body.schema }),
    ...(url.includes(':token') && { params: tokenParameter }),
    response: publicAnswerSchemas({ 200: ok }, 400, 413, 415, 429, 503),
  }
  // The handler validates the body by `body.read`, so Fastify's validation is disabled.
  app.post(url, { bodyLimit, schema, config: { public: true }, validatorCompiler: () => () => true }, async (request) => {
    const { token = '' } = request.params as { token?: string }
    await run(body?.read(request.body, 'UTC') as Value, { token, networks: networksOf(request.tracing.address) })
    return done
  })
}

/** The routes for people who cannot sign in: a lost password, an invitation, the confirmation of an address. They exist at both addresses. */
export const mailedLinkRoutes =
  (proven: ProvenAddressService, mails: Pick<AccountMailService, 'resetPassword'>, requests: Limit): Routes =>
  (app) => {
    const { audience } = app.space
    app.addHook('onRequest', (request) => requests.count(networksOf(request.tracing.address)))

    publicPost(
      app,
      {
        ...{ url: '/password_reset', operationId: 'requestPasswordReset', body: plainBody({ email: required(email) }) },
        summary: 'Sends a link for a new password if the address has an account. The answer is the same if it has none.',
      },
      ({ email }) => mails.resetPassword(audience, email),
    )
    for (const purpose of ['password_reset', 'invitation'] as const) {
      const operationId = purpose === 'invitation' ? 'acceptInvitation' : 'resetPassword'
      publicPost(
        app,
        {
          ...{ url: `/${purpose}/:token`, operationId, body: plainBody({ password: required(newPassword) }) },
          summary: 'Sets the password with the link of a mail, and ends all sessions of the person.',
        },
        ({ password }, presented) => proven.setPassword(audience, purpose, presented, password),
      )
    }
    publicPost(
      app,
      {
        ...{ url: '/email_confirmation/:token', operationId: 'confirmEmail' },
        summary: 'Confirms a new address with the link of a mail, and ends all sessions of the person.',
      },
      (_none, { token }) => proven.confirmEmail(audience, token),
    )
  }
