import { matches } from '@caseway/testing/scim-protocol'
import { describe, expect, it } from '@jest/globals'
import { filterFor, foundUser, foundUsers, operationsFor, undoingOf, userOf } from './scim-user.js'

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

  it('finds, of several users, the one with the address as user name', () => {
    const another = { id: '2', userName: 'somebody', emails: [{ value: 'ada@client.test' }] }
    expect(foundUser({ totalResults: 2, Resources: [another, user] }, 'ADA@client.test')).toEqual(user)
    const list = { totalResults: 2, Resources: [another, { ...another, id: '3' }] }
    expect(() => foundUser(list, 'ada@client.test')).toThrow('several users')
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

  it('is refused where it is not a user', () => expect(() => userOf({ id: 7 })).toThrow('no SCIM user'))
})

describe('the operations of a change', () => {
  const changes = { email: 'eva@client.test', firstname: 'Eva', lastname: 'Lis' }

  it('replace what differs, and of the addresses only the old one', () => {
    expect(operationsFor(user, 'ada@client.test', changes)).toEqual([
      { op: 'replace', path: 'userName', value: 'eva@client.test' },
      { op: 'replace', path: 'emails', value: [{ value: 'eva@client.test' }, { value: 'a@b.test' }] },
      { op: 'replace', path: 'name.givenName', value: 'Eva' },
      { op: 'replace', path: 'name.familyName', value: 'Lis' },
    ])
  })

  it('are empty where it was made', () => {
    const name = { givenName: 'Eva', familyName: 'Lis' }
    expect(operationsFor({ userName: 'eva@client.test', name, emails: [{ value: 'a@b.test' }] }, 'ada@client.test', changes)).toEqual([])
  })

  it('are empty where only the case of the address changes, and has changed', () => {
    expect(operationsFor({ userName: 'ADA@client.test' }, 'ada@client.test', { email: 'ADA@client.test' })).toEqual([])
  })

  it('keep a user name that is not an address', () => {
    expect(operationsFor({ userName: 'ada' }, 'ada@client.test', { email: 'eva@client.test' })).toEqual([])
  })
})

describe('the operations that undo a change', () => {
  const changes = { email: 'eva@client.test', firstname: 'Eva', lastname: 'Lis' }
  const undoing = (now: object, was: object = user) => undoingOf(now, was, 'ada@client.test', changes)

  it('are empty where nothing of it was made', () => expect(undoing(user)).toEqual([]))

  it.each([
    ['a user name', { ...user, userName: 'eva@client.test' }, { op: 'replace', path: 'userName', value: 'ada@client.test' }],
    [
      'an address',
      { ...user, emails: [{ value: 'eva@client.test' }, { value: 'a@b.test' }] },
      { op: 'replace', path: 'emails', value: user.emails },
    ],
    ['a first name', { ...user, name: { givenName: 'Eva' } }, { op: 'replace', path: 'name.givenName', value: 'Ada' }],
    [
      'a last name that there was not',
      { ...user, name: { givenName: 'Ada', familyName: 'Lis' } },
      { op: 'remove', path: 'name.familyName' },
    ],
  ])('is the old one where %s is the new one', (_, now, operation) => expect(undoing(now)).toEqual([operation]))

  it('keep the old address where it is still there', () => {
    const both = { ...user, emails: [...user.emails, { value: 'eva@client.test' }] }
    expect(undoing(both, both)).toEqual([])
  })

  it('keep values that were new before, and those that somebody else has changed', () => {
    const name = { givenName: 'Eva' }
    expect(undoing({ ...user, name }, { ...user, name })).toEqual([])
    expect(undoing({ ...user, userName: 'another@client.test', emails: [] })).toEqual([])
  })
})
