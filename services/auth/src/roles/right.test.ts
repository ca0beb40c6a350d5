import { describe, expect, it } from '@jest/globals'
import {
  asPermissions,
  effectiveRights,
  isAbove,
  isRight,
  mayGive,
  mayMake,
  noStanding,
  numberOfRole,
  type Permission,
  type Right,
  rights,
  roleOfNumber,
} from './right.js'

const give = (...keys: Right[]): Permission[] => keys.map((key) => ({ key, allowed: true }))
const take = (...keys: Right[]): Permission[] => keys.map((key) => ({ key, allowed: false }))
const set = (...keys: Right[]) => new Set(keys)
const mailbox = rights.filter((key) => key.startsWith('mailbox.'))

describe('base roles', () => {
  it('are the four of employees by their numbers', () => {
    const numbers = [1, 2, 3, 4]
    expect(numbers.map(roleOfNumber)).toEqual(['administrator', 'expert', 'specialist', 'trainee'])
    expect(numbers.map(roleOfNumber).map(numberOfRole)).toEqual(numbers)
  })
})

describe('the rights that somebody has in the end', () => {
  it.each([
    [1, [...rights]],
    [2, [...rights]],
    [3, mailbox],
    [4, ['mailbox.personal_mailbox']],
  ])('are at first those of base role %i', (baseRole, expected) => {
    expect([...effectiveRights(baseRole, [])]).toEqual(expected)
  })

  it('are what the role gives and takes', () => {
    expect(effectiveRights(4, [...give('reports.all'), ...take('mailbox.personal_mailbox')])).toEqual(set('reports.all'))
  })

  it('are in the last word what the person is given and denied', () => {
    expect(effectiveRights(4, give('reports.all'), take('reports.all'))).toEqual(set('mailbox.personal_mailbox'))
    expect(effectiveRights(4, take('reports.all'), give('reports.all'))).toEqual(set('mailbox.personal_mailbox', 'reports.all'))
  })

  it('are nobody else’s: the base role is not changed', () => {
    effectiveRights(4, give('reports.all')).add('roles.manage')
    expect(effectiveRights(4, [])).toEqual(set('mailbox.personal_mailbox'))
  })
})

describe('giving', () => {
  it('needs every new right, and none that was there before', () => {
    expect(mayGive(set('reports.all'), set(), set('reports.all'))).toBe(true)
    expect(mayGive(set(), set('reports.all'), set('reports.all'))).toBe(true)
    expect(mayGive(set('reports.all'), set(), set('reports.all', 'users.manage'))).toBe(false)
  })

  it('does not need what is taken', () => {
    expect(mayGive(set(), set('reports.all', 'users.manage'), set())).toBe(true)
  })
})

describe('a base role', () => {
  it.each([
    [1, 2, true],
    [2, 2, false],
    [3, 2, false],
  ])('%i is above %i: %s', (baseRole, own, above) => expect(isAbove(baseRole, own)).toBe(above))

  const standing = (baseRole: number, ...having: Right[]) => ({ baseRole, rights: set(...having) })

  it('may be given and edited by whoever has it, or one above', () => {
    expect(mayMake(standing(2), standing(4), standing(2))).toBe(true)
    expect(mayMake(standing(2), standing(2), standing(4))).toBe(true)
    expect(mayMake(standing(1, ...rights), noStanding, standing(1, ...rights))).toBe(true)
  })

  it('above one’s own may not be given, nor taken, whatever rights one has', () => {
    expect(mayMake(standing(2, ...rights), standing(4), standing(1))).toBe(false)
    expect(mayMake(standing(2, ...rights), standing(1), standing(4))).toBe(false)
  })

  it('comes with no right that the giver lacks', () => {
    expect(mayMake(standing(2, 'reports.all'), noStanding, standing(4, 'reports.all'))).toBe(true)
    expect(mayMake(standing(2), noStanding, standing(4, 'reports.all'))).toBe(false)
  })
})

it('every right is listed, with whether somebody has it', () => {
  expect(asPermissions(set('reports.all'))).toEqual(rights.map((key) => ({ key, allowed: key === 'reports.all' })))
})

it.each(['', 'everything', 'constructor', 'reports.ALL'])('%j is not a right', (key) => expect(isRight(key)).toBe(false))
