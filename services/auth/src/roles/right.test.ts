import { describe, expect, it } from '@jest/globals'
import {
  asPermissions,
  baseRoles,
  effectiveRights,
  isRight,
  mayGive,
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
    expect(baseRoles.map(roleOfNumber)).toEqual(['administrator', 'expert', 'specialist', 'trainee'])
    expect(baseRoles.map(roleOfNumber).map(numberOfRole)).toEqual([...baseRoles])
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

it('every right is listed, with whether somebody has it', () => {
  expect(asPermissions(set('reports.all'))).toEqual(rights.map((key) => ({ key, allowed: key === 'reports.all' })))
})

it.each(['', 'everything', 'constructor', 'reports.ALL'])('%j is not a right', (key) => expect(isRight(key)).toBe(false))
