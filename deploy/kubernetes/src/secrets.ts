import { randomBytes } from 'node:crypto'
import { databaseUrlVariable, services, variableOf } from '@caseway/registry'
import { ownerOf, passwordSecretOf } from './components.js'
import { installation } from './environment.js'
import type { Manifest } from './manifest.js'
import { migrationOf } from './manifests/migration.js'

const secret = (name: string, stringData: Readonly<Record<string, string>>, type = 'Opaque'): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  type,
  stringData,
})

/** With this label CloudNativePG applies a changed password as soon as its Secret changes. */
const reloaded = { 'cnpg.io/reload': 'true' }

const password = () => randomBytes(24).toString('hex')

/**
 * The Secrets of a new installation, with random passwords.
 * @param server host and port of PostgreSQL
 * @param query parameters of the database URLs, such as `sslmode=verify-full&sslrootcert=…`
 */
export function newSecrets(server: string, query: string): Manifest[] {
  const address = (role: string, password: string, database: string) => `postgresql://${role}:${password}@${server}/${database}?${query}`
  const login = (role: string, password: string) => {
    const { metadata, ...rest } = secret(passwordSecretOf(role), { username: role, password }, 'kubernetes.io/basic-auth')
    return { ...rest, metadata: { ...metadata, labels: reloaded } }
  }
  const own = services.flatMap(({ name, secrets }) => {
    const [owner, ownerPassword, rolePassword] = [ownerOf(name), password(), password()]
    const random = secrets.map((variable) => [variableOf(name, variable), randomBytes(32).toString('base64')])
    return [
      secret(name, { [databaseUrlVariable(name)]: address(name, rolePassword, name), ...Object.fromEntries(random) }),
      secret(migrationOf(name), { [variableOf(name, 'OWNER_DATABASE_URL')]: address(owner, ownerPassword, name) }),
      login(owner, ownerPassword),
      login(name, rolePassword),
    ]
  })
  return [secret(installation, { KAFKA_PASSWORD: password() }), ...own]
}
