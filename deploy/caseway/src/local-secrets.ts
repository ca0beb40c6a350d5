import { join } from 'node:path'
import { databaseUrlVariable, serviceNames, services, variableOf } from '@caseway/registry'

/** The passwords and secrets of a local installation, the content of its `secrets.json`. */
export type LocalSecrets = Readonly<Record<string, string>>

const camelCase = (name: string) => name.toLowerCase().replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())

/** The key of the password of a service's database role, such as `casesAndCounters`. */
export const passwordKey = (service: string) => camelCase(service)

/** The key of a secret of a service, such as `authSecret` for `AUTH_SECRET`. */
export const secretKey = (service: string, secret: string) => camelCase(`${service}_${secret}`)

/** The variables with the database URL of each service. */
export const databaseVariables = (urlOf: (service: string) => string): Record<string, string> =>
  Object.fromEntries(serviceNames.map((name) => [databaseUrlVariable(name), urlOf(name)]))

/** The variables with the secrets of all services, or of one. */
export const secretVariables = (kept: LocalSecrets, service?: string): Record<string, string> =>
  Object.fromEntries(
    services
      .filter(({ name }) => service === undefined || service === name)
      .flatMap(({ name, secrets }) => secrets.map((secret) => [variableOf(name, secret), kept[secretKey(name, secret)] ?? ''])),
  )

/** The variables with the data folders of all services that have one, or of one service. */
export const folderVariables = (home: string, service?: string): Record<string, string> =>
  Object.fromEntries(
    services
      .filter(({ name, keepsFolder }) => keepsFolder && (service === undefined || service === name))
      .map(({ name }) => [variableOf(name, 'FOLDER'), join(home, name)]),
  )
