import { publicAnswerSchemas } from '@caseway/kit/http'
import Type from 'typebox'

const orNull = Type.Union([Type.String(), Type.Null()])
const permissions = Type.Array(Type.Object({ key: Type.String(), allowed: Type.String() }))

const issued = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer(),
  token_type: Type.Literal('Bearer'),
  scope: orNull,
  refresh_token: orNull,
  user_id: Type.String(),
  UserRole: Type.Object({ id: orNull, customer_id: orNull, name: orNull, created: orNull, modified: orNull }),
  UserRolePermission: permissions,
  UserPermission: permissions,
})

const refused = Type.Object({
  status: Type.Literal('error'),
  error: Type.String(),
  error_description: Type.String(),
  errorMessages: Type.String(),
  errorCode: Type.String(),
})
const refusal = { description: 'RFC 6749 5.2.', content: { 'application/json': { schema: refused } } }

/** For the OpenAPI document only; `readTokenRequest` validates. */
export const tokenSchema = {
  body: Type.Object({
    grant_type: Type.Enum(['password', 'refresh_token', 'client_credentials']),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    otp: Type.Optional(Type.String({ description: 'A one-time password or a recovery code, where the person has a second factor.' })),
    refresh_token: Type.Optional(Type.String()),
  }),
  response: publicAnswerSchemas({ 200: issued, 400: refusal, 401: refusal, 413: refusal, 415: refusal, 429: refusal, 503: refusal }),
}
