import { describe, expect, it } from '@jest/globals'
import { resourceNames, serviceNames, wrongResource, wrongService, wrongServiceOf } from '../names.mjs'

describe('names of several words', () => {
  it('have the spelling of code, files, paths and tables', () => {
    expect(serviceNames('company-card')).toEqual({ service: 'company-card', definition: 'companyCard' })
    expect(resourceNames('OfficeHour')).toEqual({
      ...{ Name: 'OfficeHour', name: 'officeHour', file: 'office-hour', module: 'office-hours' },
      ...{ path: 'office_hour', table: 'office_hours' },
    })
    expect(resourceNames('TaxCategory')).toMatchObject({ module: 'tax-categories', path: 'tax_category', table: 'tax_categories' })
  })
})

describe('a service', () => {
  it.each(['parcel-tracking', 'notes', 'oauth2-bridge'])('may be called %s', (name) => expect(wrongService(name)).toBe(true))

  it.each(['', 'Notes', 'company_card', '-notes', 'notes-', 'a--b', '2fa', '../notes'])('may not be called "%s"', (name) =>
    expect(wrongService(name)).toBe(
      `"${name}" cannot be the name of a service: lower-case words with hyphens between them, for example company-card.`,
    ),
  )

  it.each(['auth', 'kit', 'gateway', 'testing'])('may not be called %s, the name of a workspace', (name) =>
    expect(wrongService(name)).toBe(`@caseway/${name} already exists.`),
  )

  it.each(['class', 'default', 'await', 'arguments', 'config', 'tables'])(
    'may not be called %s, which is not a free name in its code',
    (name) =>
      expect(wrongService(name)).toBe(`"${name}" is a reserved word of JavaScript, or a name that the code of a service has already.`),
  )

  it.each(['postgres', 'public'])('may not be called %s, which PostgreSQL reserves', (name) =>
    expect(wrongService(name)).toBe(`${name} is a name of PostgreSQL itself.`),
  )

  it('can get a resource only if it exists', () => {
    expect(wrongServiceOf('cases-and-counters')).toBe(true)
    expect(wrongServiceOf('notes')).toBe('There is no service "notes". Create it with npm run new:service -- notes')
  })
})

describe('a resource', () => {
  const inAuth = (Name: string) => wrongResource(Name, { service: 'auth' })

  it.each(['OfficeHour', 'Note', 'Address', 'Response'])('may be called %s', (Name) => expect(inAuth(Name)).toBe(true))

  it.each(['', 'note', 'office_hour', 'Office-Hour', 'Notes', 'OfficeHours'])('may not be called "%s"', (Name) =>
    expect(inAuth(Name)).toBe(`"${Name}" cannot be the name of a resource: singular and in PascalCase, for example OfficeHour.`),
  )

  it.each(['Date', 'Function'])('may not be called %s, a global name of JavaScript', (Name) =>
    expect(inAuth(Name)).toBe(`${Name} is a name of JavaScript itself.`),
  )

  it('may not have the path of another resource of any service', () => {
    expect(inAuth('Tag')).toBe('/rest/tag already exists, in cases-and-counters.')
  })

  it('may not have the model of another resource of the service', () => expect(inAuth('SigningKey')).toBe('auth already has a SigningKey.'))
})
