import { email, required } from '@caseway/kit/fields'
import { type App, type Body, networksOf, ok, plainBody, publicAnswerSchemas, type Routes } from '@caseway/kit/http'
import type { Limit } from '@caseway/kit/limits'
import Type from 'typebox'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import { newPassword } from '../passwords/new-password.field.js'
import type { Presented, ProvenAddressService } from './proven-address.service.js'

/** The largest body, in bytes: nobody knows who sends it. */
const bodyLimit = 65_536

const done = { status: 'OK' }
const tokenParameter = Type.Object({ token: Type.String({ maxLength: 64, description: 'Of the link in the mail.' }) })

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
  // The body is read by the handler.
  app.post(url, { bodyLimit, schema, config: { public: true }, validatorCompiler: () => () => true }, async (request) => {
    const { token = '' } = request.params as { token?: string }
    await run(body?.read(request.body, 'UTC') as Value, { token, networks: networksOf(request.tracing.address) })
    return done
  })
}

/** What people do who cannot sign in, on the address where they would. */
export const mailedLinkRoutes =
  (proven: ProvenAddressService, mails: Pick<AccountMailService, 'resetPassword'>, requests: Limit): Routes =>
  (app) => {
    const { audience } = app.space
    app.addHook('onRequest', (request) => requests.count(networksOf(request.tracing.address)))

    publicPost(
      app,
      {
        ...{ url: '/password_reset', operationId: 'requestPasswordReset', body: plainBody({ email: required(email) }) },
        summary: 'Sends a link for a new password, where the address has an account. The answer does not tell.',
      },
      ({ email }) => mails.resetPassword(audience, email),
    )
    for (const purpose of ['password_reset', 'invitation'] as const) {
      const operationId = purpose === 'invitation' ? 'acceptInvitation' : 'resetPassword'
      publicPost(
        app,
        {
          ...{ url: `/${purpose}/:token`, operationId, body: plainBody({ password: required(newPassword) }) },
          summary: 'Sets the password of whoever has the link of a mail. Every session of theirs ends.',
        },
        ({ password }, presented) => proven.setPassword(audience, purpose, presented, password),
      )
    }
    publicPost(
      app,
      {
        ...{ url: '/email_confirmation/:token', operationId: 'confirmEmail' },
        summary: 'The address that somebody wanted becomes the one with which they sign in. Every session of theirs ends.',
      },
      (_none, { token }) => proven.confirmEmail(audience, token),
    )
  }
