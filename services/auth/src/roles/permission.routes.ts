import type { Employee, Id } from '@caseway/kit/caller'
import { experts } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { flagText, line, required } from '@caseway/kit/fields'
import { action, type Body, bodyReader, ok, type Routes, recordAnswers, sendRecord } from '@caseway/kit/http'
import Type from 'typebox'
import type { PermissionService, Permissions } from './permission.service.js'
import { isRight, type Permission } from './right.js'

const flag = Type.Union([Type.Literal('0'), Type.Literal('1')])
const listOf = (wrapper: string) => Type.Array(Type.Object({ [wrapper]: Type.Object({ key: Type.String(), allowed: flag }) }))

/** Reads `[ { "<wrapper>": { "key", "allowed" } }, … ]`; errors name an element by its index from 0. */
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
  list(caller: Employee, id: Id): Promise<Permissions>
  change(caller: Employee, id: Id, wanted: readonly Permission[], expected?: number): Promise<void>
}

function permissionsOf(name: string, path: string, { list, change }: Handlers): Routes {
  const wrapper = `${name}Permission`
  const owner = { name, path, audience: 'expert' } as const
  const permissions = listOf(wrapper)
  const body: Body<Permission[]> = { schema: permissions, read: permissionsReader(wrapper) }
  return [
    action(
      owner,
      {
        method: 'GET',
        path: ':id/permission',
        operationId: `list${wrapper}`,
        versioned: true,
        answers: recordAnswers(permissions),
      },
      async ({ caller, id, reply }) => {
        const { version, items } = await list(caller, id)
        const wire = items.map(({ key, allowed }) => ({ [wrapper]: { key, allowed: allowed ? '1' : '0' } }))
        return sendRecord(reply.request, reply, version, JSON.stringify(wire))
      },
    ),
    action(
      owner,
      {
        method: 'PUT',
        path: ':id/permission',
        operationId: `change${wrapper}`,
        body,
        versioned: true,
        answers: { 200: ok },
        roles: experts,
        right: 'roles.manage',
      },
      ({ caller, id, body, expected }) => change(caller, id, body, expected),
    ),
  ]
}

export const permissionRoutes = (permissions: PermissionService): Routes => [
  permissionsOf('UserRole', 'user_role', { list: permissions.ofRole, change: permissions.changeRole }),
  permissionsOf('User', 'user', { list: permissions.ofUser, change: permissions.changeUser }),
]
