import { type EmployeeRole, roles } from '@caseway/kit/caller'

/** What an employee can be allowed beside what their role may do. */
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

/** A right that is given or taken. */
export interface Permission {
  readonly key: Right
  readonly allowed: boolean
}

/** The base role of employees by its number on the wire, 1 to 4. */
export const roleOfNumber = (baseRole: number): EmployeeRole => roles[baseRole] as EmployeeRole
export const numberOfRole = (role: EmployeeRole): number => roles.indexOf(role)

/** What is allowed in the end: the base role's rights, then what the role gives or takes, then what the person is given or denied. */
export function effectiveRights(baseRole: number, ofRole: readonly Permission[], ofUser: readonly Permission[] = []): Set<Right> {
  const effective = new Set(given[roleOfNumber(baseRole)])
  for (const { key, allowed } of [...ofRole, ...ofUser]) {
    if (allowed) effective.add(key)
    else effective.delete(key)
  }
  return effective
}

/** Whether a caller with `own` rights may make `after` out of `before`: what they do not have, they do not give. */
export const mayGive = (own: ReadonlySet<Right>, before: ReadonlySet<Right>, after: ReadonlySet<Right>): boolean =>
  [...after].every((right) => before.has(right) || own.has(right))

/** The base role and the rights of a person, or of those who have a role. */
export interface Standing {
  readonly baseRole: number
  readonly rights: ReadonlySet<Right>
}

/** Before a person is employed, or a role is created: no right, and the lowest base role. */
export const noStanding: Standing = { baseRole: 4, rights: new Set() }

/** Whether a base role is above another one: 1, administrator, is the highest. */
export const isAbove = (baseRole: number, own: number): boolean => baseRole < own

/**
 * Whether a caller of standing `own` may make `after` out of `before`: neither base role is above their own, and every right that is new is
 * one that they have.
 */
export const mayMake = (own: Standing, before: Standing, after: Standing): boolean =>
  !isAbove(before.baseRole, own.baseRole) && !isAbove(after.baseRole, own.baseRole) && mayGive(own.rights, before.rights, after.rights)

/** The rights by which an office manages itself: what nobody has, nobody gives back. */
export const managing: readonly Right[] = ['users.manage', 'roles.manage']

/** Whether the base role is that of administrators. */
export const administers = ({ baseRole }: Pick<Standing, 'baseRole'>): boolean => roleOfNumber(baseRole) === 'administrator'

/** Whether an administrator, or all who have a role of theirs, manage less after a change of rights. */
export const managesLess = (before: Standing, after: Standing): boolean =>
  administers(before) && managing.some((right) => before.rights.has(right) && !after.rights.has(right))

/** Every right, and whether it is among `effective`. */
export const asPermissions = (effective: ReadonlySet<Right>): Permission[] => rights.map((key) => ({ key, allowed: effective.has(key) }))
