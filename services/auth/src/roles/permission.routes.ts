import { experts, parseId } from '@caseway/kit/caller'
import { invalid, notFound } from '@caseway/kit/errors'
import { flagText, line, required } from '@caseway/kit/fields'
import { type App, answerSchemas, bodyReader, employeeOf, type Routes } from '@caseway/kit/http'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { PermissionService } from './permission.service.js'
import { isRight, type Permission } from './right.js'

const flag = Type.Union([Type.Literal('0'), Type.Literal('1')])
const listOf = (wrapper: string) => Type.Array(Type.Object({ [wrapper]: Type.Object({ key: Type.String(), allowed: flag }) }))
const done = Type.Object({ status: Type.Literal('OK') })

const idOf = ({ params }: FastifyRequest) => {
  const id = parseId((params as { id: string }).id)
  if (id === undefined) throw notFound()
  return id
}

/** Reads `[ { "<wrapper>": { "key", "allowed" } }, … ]`; what is wrong is named by its index from 0. */
function permissionsReader(wrapper: string) {
  const read = bodyReader([wrapper], { key: required(line({ max: 100 })), allowed: required(flagText) })
  const one = (sent: unknown): Permission | string => {
    try {
      const { key, allowed } = read(sent, '') as { key: string; allowed: boolean }
      return isRight(key) ? { key, allowed } : 'is not a right'
    } catch {
      return `must be { "${wrapper}": { "key", "allowed" } }`
    }
  }
  return (body: unknown): Permission[] => {
    if (!Array.isArray(body)) throw invalid({ [wrapper]: 'is required' })
    const items = body.map(one)
    const wrong = items.flatMap((item, index) => (typeof item === 'string' ? [[index, item] as const] : []))
    if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
    const permissions = items as Permission[]
    if (new Set(permissions.map(({ key }) => key)).size < permissions.length) throw invalid({ [wrapper]: 'names a right twice' })
    return permissions
  }
}

interface Handlers {
  list(request: FastifyRequest): Promise<Permission[]>
  change(request: FastifyRequest, permissions: Permission[]): Promise<void>
}

function permissionsOf(app: App, path: string, wrapper: string, { list, change }: Handlers): void {
  const read = permissionsReader(wrapper)
  const permissions = listOf(wrapper)
  app.get(path, { schema: { response: answerSchemas({ 200: permissions }, 404) } }, async (request) =>
    (await list(request)).map(({ key, allowed }) => ({ [wrapper]: { key, allowed: allowed ? '1' : '0' } })),
  )
  const schema = { body: permissions, response: answerSchemas({ 200: done }, 400, 404) }
  app.put(path, { schema, config: { roles: experts }, validatorCompiler: () => () => true }, async (request) => {
    await change(request, read(request.body))
    return { status: 'OK' }
  })
}

export const permissionRoutes =
  (permissions: PermissionService): Routes =>
  (app) => {
    permissionsOf(app, '/user_role/:id/permission', 'UserRolePermission', {
      list: (request) => permissions.ofRole(employeeOf(request), idOf(request)),
      change: (request, wanted) => permissions.changeRole(employeeOf(request), idOf(request), wanted),
    })
    permissionsOf(app, '/user/:id/permission', 'UserPermission', {
      list: (request) => permissions.ofUser(employeeOf(request), idOf(request)),
      change: (request, wanted) => permissions.changeUser(employeeOf(request), idOf(request), wanted),
    })
  }
