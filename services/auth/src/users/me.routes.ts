import { line } from '@caseway/kit/fields'
import { answerSchemas, bodyReader, employeeOf, etagOf, isUnchanged, type Routes, recordEncoder } from '@caseway/kit/http'
import { userResource } from './user.resource.js'
import type { OwnChanges, UserService } from './user.service.js'

const { firstname, lastname, phone, password } = userResource.fields
const ownFields = { firstname, lastname, phone, password, current_password: line({ max: 200 }) }

/** No version is 0: what is no entity tag of ours matches none. */
const versionOf = (ifMatch = '*') => (ifMatch.trim() === '*' ? undefined : Number(/^"(\d{1,10})"$/.exec(ifMatch.trim())?.[1] ?? 0))

/** One's own record: every employee sees theirs, and changes what is theirs to change. */
export const meRoutes =
  (users: UserService): Routes =>
  (app) => {
    const { zones } = app.space
    const encode = recordEncoder(userResource)
    const read = bodyReader(['User'], ownFields, { partial: true })
    const record = { type: 'object', properties: { User: { type: 'object', additionalProperties: { type: ['string', 'null'] } } } }

    app.get('/user/me', { schema: { response: answerSchemas({ 200: record }) } }, async (request, reply) => {
      const caller = employeeOf(request)
      const user = await users.get(caller, caller.userId)
      if (isUnchanged(request, reply, etagOf(user.version))) return reply.code(304).send()
      return encode(user, await zones(caller.customerId))
    })

    const response = answerSchemas({ 200: { type: 'object', properties: { status: { type: 'string' } } } }, 400)
    app.put('/user/me', { schema: { response }, config: { allowsExpiredPassword: true } }, async (request) => {
      const caller = employeeOf(request)
      const changes = read(request.body, await zones(caller.customerId)) as OwnChanges
      await users.changeSelf(caller, changes, versionOf(request.headers['if-match']))
      return { status: 'OK' }
    })
  }
