import { type EmployeeRole, roles } from '@caseway/kit/caller'

/** The rights that an employee can have in addition to what their role allows. */
export const rights = [
  'mailbox.crm_folders.clients',
  'mailbox.crm_folders.offices',
  'mailbox.crm_folders.providers',
  'mailbox.crm_folders.leads',
  'mailbox.personal_mailbox',
  'users.manage',
  'roles.manage',
  'reports.all',
  'replies.approve',
  'company_card.manage',
  'widgets.manage',
  'integrations.manage',
] as const
export type Right = (typeof rights)[number]

export const isRight = (key: string): key is Right => (rights as readonly string[]).includes(key)

const given: Record<EmployeeRole, readonly Right[]> = {
  administrator: rights,
  expert: rights,
  specialist: rights.filter((right) => right.startsWith('mailbox.')),
  trainee: ['mailbox.personal_mailbox'],
}

/** A right that is granted or denied. */
export interface Permission {
  readonly key: Right
  readonly allowed: boolean
}

/** The role with this number on the wire, 1 to 4. */
export const roleOfNumber = (baseRole: number): EmployeeRole => roles[baseRole] as EmployeeRole
export const numberOfRole = (role: EmployeeRole): number => roles.indexOf(role)

/** The effective rights: those of the base role, as the permissions of the role change them, and then those of the person. */
export function effectiveRights(baseRole: number, ofRole: readonly Permission[], ofUser: readonly Permission[] = []): Set<Right> {
  const effective = new Set(given[roleOfNumber(baseRole)])
  for (const { key, allowed } of [...ofRole, ...ofUser]) {
    if (allowed) effective.add(key)
    else effective.delete(key)
  }
  return effective
}

/** Whether a caller with `own` rights may change `before` into `after`: nobody grants a right that they lack. */
export const mayGive = (own: ReadonlySet<Right>, before: ReadonlySet<Right>, after: ReadonlySet<Right>): boolean =>
  [...after].every((right) => before.has(right) || own.has(right))

/** The base role and the effective rights of a person, or of everybody who has a role. */
export interface Standing {
  readonly baseRole: number
  readonly rights: ReadonlySet<Right>
}

/** The standing before a person is employed, or a role is created: no rights, and the lowest base role. */
export const noStanding: Standing = { baseRole: 4, rights: new Set() }

/** Whether a base role is above another one: 1, administrator, is the highest. */
export const isAbove = (baseRole: number, own: number): boolean => baseRole < own

/** Whether a caller of standing `own` may change `before` into `after`: neither base role is above their own, and they have every right that is new. */
export const mayMake = (own: Standing, before: Standing, after: Standing): boolean =>
  !isAbove(before.baseRole, own.baseRole) && !isAbove(after.baseRole, own.baseRole) && mayGive(own.rights, before.rights, after.rights)

/** The rights that the management of an office needs. Nobody could restore one that nobody has. */
export const managing: readonly Right[] = ['users.manage', 'roles.manage']

/** Whether the base role is that of administrators. */
export const administers = ({ baseRole }: Pick<Standing, 'baseRole'>): boolean => roleOfNumber(baseRole) === 'administrator'

/** Whether a change of rights takes a managing right from an administrator, or from a role of administrators. */
export const managesLess = (before: Standing, after: Standing): boolean =>
  administers(before) && managing.some((right) => before.rights.has(right) && !after.rights.has(right))

/** All rights, each with whether it is among `effective`. */
export const asPermissions = (effective: ReadonlySet<Right>): Permission[] => rights.map((key) => ({ key, allowed: effective.has(key) }))
