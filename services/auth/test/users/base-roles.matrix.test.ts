import { randomUUID } from 'node:crypto'
import { type EmployeeRole, employees } from '@caseway/kit/caller'
import type { HttpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { numberOfRole } from '../../src/roles/right.js'
import { type Auth, type Office, startAuthService } from '../support/auth.js'

/** The callers: the four base roles with both managing rights, and an expert who lacks one right. */
const actors = [...employees, 'expert without reports.all'] as const
type Actor = (typeof actors)[number]

let auth: Auth
let office: Office
let roleIds: Record<EmployeeRole, string>
const https = {} as Record<Actor, HttpClient>

beforeAll(async () => {
  auth = await startAuthService()
  office = await auth.office()
  const administrator = await auth.asExpert(office.administrator)
  const { body } = await administrator.get<{ UserRole: { id: string; base_role: string } }[]>('/user_role')
  roleIds = Object.fromEntries(employees.map((role, index) => [role, body[index]?.UserRole.id])) as typeof roleIds
  const given = (allowed: string, ...keys: string[]) => keys.map((key) => ({ UserPermission: { key, allowed } }))
  for (const role of ['specialist', 'trainee'] as const) {
    const { status } = await administrator.put(
      `/user/${office[role].id}/permission`,
      given('1', 'users.manage', 'roles.manage', 'reports.all'),
    )
    expect(status).toBe(200)
  }
  for (const role of employees) https[role] = await auth.asExpert(office[role])
  const username = `${randomUUID()}@office.test`
  const person = { email: username, firstname: 'A', lastname: 'B', password: username, role: 'expert' } as const
  const id = await auth.service.administration.createUser(office.customerId, person)
  expect((await administrator.put(`/user/${id}/permission`, given('0', 'reports.all'))).status).toBe(200)
  https['expert without reports.all'] = await auth.asExpert({ username, password: username })
})
afterAll(() => auth.stop())

const one = async <Row extends object>(sql: string, values: unknown[]) => (await auth.database.rows<Row>(sql, values))[0] as Row
const customerId = () => String(office.customerId)

/** An employee with this role and a password, whom only this test changes. */
async function person(role: EmployeeRole, active = true): Promise<string> {
  const sql = `INSERT INTO users (customer_id, email, firstname, lastname, user_role_id, active, password_hash)
    VALUES ($1, $2, 'Eva', 'Lis', $3, $4, 'a hash') RETURNING id`
  return (await one<{ id: string }>(sql, [customerId(), `${randomUUID()}@office.test`, roleIds[role], active])).id
}
/** A custom role of the office with this base role. */
async function ownRole(baseRole: EmployeeRole): Promise<string> {
  const sql = "INSERT INTO user_roles (customer_id, name, base_role) VALUES ($1, 'Own', $2) RETURNING id"
  return (await one<{ id: string }>(sql, [customerId(), numberOfRole(baseRole)])).id
}
/** All rows that the calls could change. */
const state = async () => {
  const tables = ['users', 'user_roles', 'user_permissions', 'user_role_permissions']
  const digests = tables.map(
    (name) => `(SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} t WHERE customer_id = $1) AS ${name}`,
  )
  return JSON.stringify(await one(`SELECT ${digests}`, [customerId()]))
}

type Call = (http: HttpClient) => Promise<{ status: number }>
interface Way {
  readonly name: string
  /** The base role of the person or role that the call changes. */
  readonly target?: EmployeeRole
  /** The base role that the call assigns. */
  readonly gives?: EmployeeRole
  /** Whether the call gives the caller, or lets the caller assign, all rights of the target. */
  readonly takesAll?: boolean
  /** Whether the call is refused for everybody. */
  readonly never?: boolean
  readonly prepare: () => Promise<Call>
}

const touched = employees.flatMap((target): Way[] => {
  const change = (name: string, changes: () => object, more: Partial<Way> = {}): Way => ({
    ...{ name: `${name} of a ${target}`, target, ...more },
    async prepare() {
      const path = `/user/${await person(target, name !== 'reactivation')}`
      return (http) => http.put(path, { User: changes() })
    },
  })
  return [
    change('password', () => ({ password: randomUUID() }), { takesAll: true }),
    change('address', () => ({ email: `${randomUUID()}@office.test` }), { takesAll: true }),
    change('deactivation', () => ({ active: 0 })),
    change('reactivation', () => ({ active: 1 }), { takesAll: true }),
    ...employees
      .filter((gives) => gives !== target)
      .map((gives) => change(`role ${gives} instead`, () => ({ user_role_id: roleIds[gives] }), { gives })),
    {
      ...{ name: `removal of a ${target}`, target },
      prepare: async () => {
        const path = `/user/${await person(target)}`
        return (http) => http.delete(path)
      },
    },
    {
      ...{ name: `a permission of a ${target}`, target },
      prepare: async () => {
        const path = `/user/${await person(target)}/permission`
        return (http) => http.put(path, [{ UserPermission: { key: 'replies.approve', allowed: '1' } }])
      },
    },
  ]
})

const edited = employees.flatMap((target): Way[] => {
  const role = (name: string, call: (path: string) => Call, more: Partial<Way> = {}): Way => ({
    ...{ name: `${name} of a role of base ${target}`, target, ...more },
    prepare: async () => call(`/user_role/${await ownRole(target)}`),
  })
  return [
    role('name', (path) => (http) => http.put(path, { UserRole: { name: 'Another' } })),
    role('removal', (path) => (http) => http.delete(path)),
    role(
      'permissions',
      (path) => (http) => http.put(`${path}/permission`, [{ UserRolePermission: { key: 'replies.approve', allowed: '1' } }]),
    ),
    ...employees
      .filter((gives) => gives !== target)
      .map((gives) =>
        role(`base role ${gives} instead`, (path) => (http) => http.put(path, { UserRole: { base_role: numberOfRole(gives) } }), { gives }),
      ),
    ...employees
      .filter((gives) => gives !== target)
      .map(
        (gives): Way => ({
          ...{ name: `base role ${gives} for the built-in ${target}`, target, gives, never: true },
          prepare: async () => (http) => http.put(`/user_role/${roleIds[target]}`, { UserRole: { base_role: numberOfRole(gives) } }),
        }),
      ),
  ]
})

const created = employees.flatMap((gives): Way[] => [
  {
    ...{ name: `a new ${gives}`, gives },
    prepare: async () => (http) =>
      http.post('/user', {
        User: { email: `${randomUUID()}@office.test`, firstname: 'A', lastname: 'B', user_role_id: roleIds[gives] },
      }),
  },
  {
    ...{ name: `a new role of base ${gives}`, gives },
    prepare: async () => (http) => http.post('/user_role', { UserRole: { name: 'New', base_role: numberOfRole(gives) } }),
  },
])

/** The base roles that have `reports.all`. */
const reports = (role?: EmployeeRole) => role === 'administrator' || role === 'expert'

/** 403 if the route does not admit the role, the target is above the caller, or the caller lacks a right; 409 for built-in roles. */
function expected(actor: Actor, { target = 'trainee', gives = target, takesAll, never, ...way }: Way): number[] {
  const base = actor === 'expert without reports.all' ? 'expert' : actor
  const admitted = base === 'administrator' || base === 'expert'
  const above = Math.min(numberOfRole(target), numberOfRole(gives)) < numberOfRole(base)
  const had = takesAll || way.name.startsWith('a new') ? false : reports(target)
  const lacks = actor !== base && reports(gives) && !had
  if (!admitted || above || lacks) return [403]
  return never ? [409] : [200, 201]
}

const cells = [...touched, ...edited, ...created].flatMap((way) => actors.map((actor) => [`${actor}: ${way.name}`, actor, way] as const))

describe('nobody assigns or edits a base role above their own, or changes a person who has one', () => {
  it('covers all combinations', () => expect(cells.length).toBeGreaterThan(300))

  it.each(cells)('%s', async (_, actor, way) => {
    const call = await way.prepare()
    const before = await state()
    const { status } = await call(https[actor])
    expect(expected(actor, way)).toContain(status)
    expect((await state()) === before).toBe(status >= 400)
  })
})
