import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { SsoChanges, SsoRecord } from './single-sign-on.js'

const text = Type.String({ maxLength: 1024 })

/** The attributes of a user (RFC 7643 4.1) that are used. All attributes of an e-mail address are kept, because they are sent back. */
const ScimUser = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  userName: Type.Optional(text),
  name: Type.Optional(Type.Object({ givenName: Type.Optional(text), familyName: Type.Optional(text) })),
  emails: Type.Optional(Type.Array(Type.Object({ value: text }), { maxItems: 100 })),
})
export type ScimUser = Static<typeof ScimUser>

const ListResponse = Type.Object({ totalResults: Type.Integer({ minimum: 0 }), Resources: Type.Optional(Type.Array(ScimUser)) })

/** Validates a user. @throws Error where it is not one */
export function userOf(answer: unknown): ScimUser {
  if (!Value.Check(ScimUser, answer)) throw new Error('The answer is no SCIM user.')
  return answer
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const hasAddress = ({ userName = '', emails = [] }: ScimUser, email: string) =>
  same(userName, email) || emails.some(({ value }) => same(value, email))

/**
 * The users in the answer to a search for an address.
 * @throws Error where it is not a ListResponse, or contains a user without that address
 */
export function foundUsers(answer: unknown, email: string): ScimUser[] {
  if (!Value.Check(ListResponse, answer)) throw new Error('The answer is no SCIM list.')
  const found = answer.Resources ?? []
  if (!found.every((user) => hasAddress(user, email))) throw new Error('The answer names other users than were asked for.')
  return found
}

/**
 * The user with an address; of several, the one with this `userName`, since that is unique (RFC 7643 4.1.1), and an address is not.
 * @throws Error as `foundUsers`, and where none of several has this `userName`
 */
export function foundUser(answer: unknown, email: string): ScimUser | undefined {
  const found = foundUsers(answer, email)
  if (found.length < 2) return found[0]
  const [user, ...others] = found.filter(({ userName = '' }) => same(userName, email))
  if (!user || others.length > 0) throw new Error('The answer names several users.')
  return user
}

/** The data of a user that are stored with the change. */
export const recordOf = ({ userName, name, emails }: ScimUser): SsoRecord => ({
  ...(userName !== undefined && { userName }),
  ...(name && { name }),
  ...(emails && { emails }),
})

/** The filter that finds users by an address (RFC 7644 3.4.2.2). Values are JSON strings, so that an address cannot break out of one. */
export const filterFor = (email: string) => {
  const value = JSON.stringify(email)
  return `userName eq ${value} or emails.value eq ${value}`
}

interface Operation {
  readonly op: 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/** The PATCH operations by which a user gets the changes (RFC 7644 3.5.2.3); empty where they have them already. */
export function operationsFor({ userName, name = {}, emails = [] }: SsoRecord, before: string, changes: SsoChanges): Operation[] {
  const { email, firstname, lastname } = changes
  const operations: Operation[] = []
  const replace = (path: string, value: unknown) => operations.push({ op: 'replace', path, value })
  if (email !== undefined) {
    const isOld = (value: string) => same(value, before) && value !== email
    if (userName !== undefined && isOld(userName)) replace('userName', email)
    if (emails.some(({ value }) => isOld(value)))
      replace(
        'emails',
        emails.map((one) => (isOld(one.value) ? { ...one, value: email } : one)),
      )
  }
  if (firstname !== undefined && name.givenName !== firstname) replace('name.givenName', firstname)
  if (lastname !== undefined && name.familyName !== lastname) replace('name.familyName', lastname)
  return operations
}

const valueAt = ({ userName, name, emails }: SsoRecord, path: string): unknown =>
  ({ userName, emails, 'name.givenName': name?.givenName, 'name.familyName': name?.familyName })[path]

/**
 * The PATCH operations that undo those changes that a user has; empty where they have none. Values that they had before are kept.
 * @param was the user before the change
 */
export function undoingOf(now: SsoRecord, was: SsoRecord, before: string, changes: SsoChanges): Operation[] {
  const outstanding = operationsFor(now, before, changes).map(({ path }) => path)
  const hasNew = ({ path, value }: Operation) =>
    path === 'emails' ? now.emails?.some((one) => one.value === changes.email) : valueAt(now, path) === value
  const made = operationsFor(was, before, changes).filter((one) => !outstanding.includes(one.path) && hasNew(one))
  return made.map(({ path }) => {
    const value = valueAt(was, path)
    return value === undefined ? { op: 'remove', path } : { op: 'replace', path, value }
  })
}
