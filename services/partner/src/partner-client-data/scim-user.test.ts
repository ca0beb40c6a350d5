import { matches } from '@caseway/testing/scim-protocol'
import { describe, expect, it } from '@jest/globals'
import { filterFor, foundUser, foundUsers, hasNothingOf, operationsFor, userOf } from './scim-user.js'

const user = {
  id: '1',
  userName: 'ada@client.test',
  name: { givenName: 'Ada' },
  emails: [{ value: 'Ada@client.test' }, { value: 'a@b.test' }],
}

describe('a filter', () => {
  it.each([
    'ada@client.test',
    'x" or userName pr or "y@client.test',
    'x\\" or emails.value eq \\"ada@client.test',
    '"quoted"@client.test',
    'a\\@client.test',
    "o'neill@client.test",
    '',
  ])('finds nobody but whom it names: %j', (email) => {
    const matching = matches(filterFor(email))
    expect(matching).toBeDefined()
    expect(matching?.({ id: '2', userName: email })).toBe(true)
    expect(matching?.({ id: '3', userName: 'somebody', emails: [{ value: email }] })).toBe(true)
    expect(matching?.({ id: '4', userName: 'another@client.test', emails: [{ value: 'x' }] })).toBe(false)
    expect(matching?.(user)).toBe(email === 'ada@client.test')
  })
})

describe('an answer', () => {
  it('names one user with the address, whatever its case, or nobody', () => {
    expect(foundUser({ totalResults: 1, Resources: [user] }, 'ADA@client.test')).toEqual(user)
    expect(foundUser({ totalResults: 1, Resources: [user] }, 'a@b.test')).toEqual(user)
    expect(foundUser({ totalResults: 0 }, 'a@b.test')).toBeUndefined()
  })

  it.each([
    ['is no list', { Resources: [user] }],
    ['names somebody else', { totalResults: 1, Resources: [{ ...user, userName: 'x', emails: [] }] }],
    ['names two', { totalResults: 2, Resources: [user, { ...user, id: '2' }] }],
    ['has a user without an id', { totalResults: 1, Resources: [{ userName: 'ada@client.test' }] }],
    ['is nothing', undefined],
  ])('that %s is none', (_, answer) => expect(() => foundUser(answer, 'ada@client.test')).toThrow('The answer'))

  it('names everybody with the address', () => {
    const another = { id: '2', userName: 'somebody', emails: [{ value: 'ADA@client.test' }] }
    expect(foundUsers({ totalResults: 2, Resources: [user, another] }, 'ada@client.test')).toEqual([user, another])
    expect(() => foundUsers({ totalResults: 2, Resources: [user, { id: '3' }] }, 'ada@client.test')).toThrow('other users')
  })

  it('that is no user is none', () => expect(() => userOf({ id: 7 })).toThrow('no SCIM user'))
})

describe('what is to be changed', () => {
  const changes = { email: 'eva@client.test', firstname: 'Eva', lastname: 'Lis' }

  it('is what differs, and of the addresses the old one', () => {
    expect(operationsFor(user, 'ada@client.test', changes)).toEqual([
      { op: 'replace', path: 'userName', value: 'eva@client.test' },
      { op: 'replace', path: 'emails', value: [{ value: 'eva@client.test' }, { value: 'a@b.test' }] },
      { op: 'replace', path: 'name.givenName', value: 'Eva' },
      { op: 'replace', path: 'name.familyName', value: 'Lis' },
    ])
  })

  it('is nothing when it was done', () => {
    const name = { givenName: 'Eva', familyName: 'Lis' }
    expect(
      operationsFor({ id: '1', userName: 'eva@client.test', name, emails: [{ value: 'a@b.test' }] }, 'ada@client.test', changes),
    ).toEqual([])
  })

  it('is nothing when the case of the address alone was to change, and has', () => {
    expect(operationsFor({ id: '1', userName: 'ADA@client.test' }, 'ada@client.test', { email: 'ADA@client.test' })).toEqual([])
  })

  it.each([
    ['a user name', { id: '1', userName: 'eva@client.test' }],
    ['an address', { ...user, emails: [{ value: 'eva@client.test' }] }],
    ['a first name', { ...user, name: { givenName: 'Eva' } }],
    ['a last name', { ...user, name: { familyName: 'Lis' } }],
  ])('is made in part where %s is the new one', (_, after) => {
    expect(hasNothingOf(user, changes)).toBe(true)
    expect(hasNothingOf(after, changes)).toBe(false)
  })

  it('is made in nothing of what is not to be changed', () => expect(hasNothingOf({ id: '1' }, { lastname: 'Lis' })).toBe(true))

  it('leaves a user name that is no address', () => {
    expect(operationsFor({ id: '1', userName: 'ada' }, 'ada@client.test', { email: 'eva@client.test' })).toEqual([])
  })
})
