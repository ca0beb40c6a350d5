import { readFileSync } from 'node:fs'
import { serviceNames } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import { newSecrets } from '../src/secrets.js'

const secrets = newSecrets('db.example:5432', 'sslmode=verify-full')
const named = (name: string) => secrets.find(({ metadata }) => metadata.name === name)
const dataOf = (name: string) => named(name)?.stringData as Record<string, string>
const guide = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('the Secrets of an installation', () => {
  it.each(serviceNames)(
    'have the passwords of both roles of %s twice: for who signs in, and for CloudNativePG, which reads them anew at once',
    (name) => {
      const prefix = name.replaceAll('-', '_').toUpperCase()
      const addresses = [dataOf(name)[`${prefix}_DATABASE_URL`], dataOf(`${name}-migration`)[`${prefix}_OWNER_DATABASE_URL`]]
      const roles = [name, `${name}-owner`]
      expect(addresses.map((address) => new URL(address ?? '').username)).toEqual(roles)
      for (const [place, role] of roles.entries()) {
        expect(dataOf(`postgresql-${role}`)).toEqual({ username: role, password: new URL(addresses[place] ?? '').password })
        expect(named(`postgresql-${role}`)?.metadata.labels).toEqual({ 'cnpg.io/reload': 'true' })
      }
    },
  )

  it('are listed in the guide, with those that the operator supplies', () => {
    for (const name of ['AUTH_SMTP_URL', 'caseway-public-tls', 'KAFKA_PASSWORD', 'postgresql-<role>']) expect(guide).toContain(name)
  })
})

describe('the manifests of one service', () => {
  it('do not include the command line', () => {
    const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
    const selectors = [guide, operations].flatMap((text) =>
      [...text.matchAll(/apply -k \S+ -l '([^']+)'/g)].map(([, selector]) => selector),
    )
    expect(selectors).toHaveLength(2)
    for (const selector of selectors)
      expect(selector).toMatch(/^app\.kubernetes\.io\/name in \(caseway, .+\), app\.kubernetes\.io\/component!=command-line$/)
  })
})
