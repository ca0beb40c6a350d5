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
  it('map to the numbers 1 to 4 and back', () => {
    const numbers = [1, 2, 3, 4]
    expect(numbers.map(roleOfNumber)).toEqual(['administrator', 'expert', 'specialist', 'trainee'])
    expect(numbers.map(roleOfNumber).map(numberOfRole)).toEqual(numbers)
  })
})

describe('effective rights', () => {
  it.each([
    [1, [...rights]],
    [2, [...rights]],
    [3, mailbox],
    [4, ['mailbox.personal_mailbox']],
  ])('are at first those of base role %i', (baseRole, expected) => {
    expect([...effectiveRights(baseRole, [])]).toEqual(expected)
  })

  it('are those of the base role, as the role changes them', () => {
    expect(effectiveRights(4, [...give('reports.all'), ...take('mailbox.personal_mailbox')])).toEqual(set('reports.all'))
  })

  it('let the permissions of the person override those of the role', () => {
    expect(effectiveRights(4, give('reports.all'), take('reports.all'))).toEqual(set('mailbox.personal_mailbox'))
    expect(effectiveRights(4, take('reports.all'), give('reports.all'))).toEqual(set('mailbox.personal_mailbox', 'reports.all'))
  })

  it('are a copy: the base role does not change', () => {
    effectiveRights(4, give('reports.all')).add('roles.manage')
    expect(effectiveRights(4, [])).toEqual(set('mailbox.personal_mailbox'))
  })
})

describe('granting rights', () => {
  it('requires every new right, but none that was granted before', () => {
    expect(mayGive(set('reports.all'), set(), set('reports.all'))).toBe(true)
    expect(mayGive(set(), set('reports.all'), set('reports.all'))).toBe(true)
    expect(mayGive(set('reports.all'), set(), set('reports.all', 'users.manage'))).toBe(false)
  })

  it('does not require rights that are taken away', () => {
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

  it('may be assigned and edited by a caller with the same or a higher one', () => {
    expect(mayMake(standing(2), standing(4), standing(2))).toBe(true)
    expect(mayMake(standing(2), standing(2), standing(4))).toBe(true)
    expect(mayMake(standing(1, ...rights), noStanding, standing(1, ...rights))).toBe(true)
  })

  it('above the caller’s may be neither assigned nor taken away, whatever rights the caller has', () => {
    expect(mayMake(standing(2, ...rights), standing(4), standing(1))).toBe(false)
    expect(mayMake(standing(2, ...rights), standing(1), standing(4))).toBe(false)
  })

  it('is not assigned together with a right that the caller lacks', () => {
    expect(mayMake(standing(2, 'reports.all'), noStanding, standing(4, 'reports.all'))).toBe(true)
    expect(mayMake(standing(2), noStanding, standing(4, 'reports.all'))).toBe(false)
  })
})

it('all rights are listed, with whether they are granted', () => {
  expect(asPermissions(set('reports.all'))).toEqual(rights.map((key) => ({ key, allowed: key === 'reports.all' })))
})

it.each(['', 'everything', 'constructor', 'reports.ALL'])('%j is not a right', (key) => expect(isRight(key)).toBe(false))
