import { answerSchemas, bodyReader, clientOf, type Routes, recordEncoder } from '@caseway/kit/http'
import { line } from '@caseway/kit/fields'
import type { OwnPasswordChange } from '../passwords/own-password.service.js'
import { type OwnAccountChanges, ownAccountResource } from './own-account.resource.js'
import type { OwnAccountService } from './own-account.service.js'

/** No version is 0: what is no entity tag of ours matches none. */
const versionOf = (ifMatch = '*') => (ifMatch.trim() === '*' ? undefined : Number(/^"(\d{1,10})"$/.exec(ifMatch.trim())?.[1] ?? 0))

/** One's own account: every client sees it, and says what their names are. */
export const ownAccountRoutes =
  (account: OwnAccountService): Routes =>
  (app) => {
    const { zones } = app.space
    const { name, update } = ownAccountResource
    const encode = recordEncoder(ownAccountResource)
    const read = bodyReader([name], { ...update, current_password: line({ max: 200 }) }, { partial: true })
    const record = { type: 'object', properties: { [name]: { type: 'object', additionalProperties: { type: ['string', 'null'] } } } }
    app.get('/client/me', { schema: { response: answerSchemas({ 200: record }) } }, async (request, reply) => {
      const own = await account.get(clientOf(request))
      reply.header('etag', `"${own.version}"`)
      return encode(own, await zones(null))
    })

    const done = { type: 'object', properties: { status: { type: 'string' } } }
    const schema = { response: answerSchemas({ 200: done }, 400, 412) }
    app.put('/client/me', { schema, config: { allowsExpiredPassword: true } }, async (request) => {
      const changes = read(request.body, await zones(null)) as OwnAccountChanges & OwnPasswordChange
      await account.change(clientOf(request), changes, versionOf(request.headers['if-match']))
      return { status: 'OK' }
    })
  }
