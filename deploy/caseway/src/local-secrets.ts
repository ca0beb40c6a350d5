import { join } from 'node:path'
import { databaseUrlVariable, serviceNames, services, variableOf } from '@caseway/registry'

/** The passwords and secrets of a local installation, as its `secrets.json` has them. */
export type LocalSecrets = Readonly<Record<string, string>>

const camelCase = (name: string) => name.toLowerCase().replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase())

/** The password of the database role of a service: `casesAndCounters`. */
export const passwordKey = (service: string) => camelCase(service)

/** A secret of a service: `authSecret` for `AUTH_SECRET`. */
export const secretKey = (service: string, secret: string) => camelCase(`${service}_${secret}`)

/** Where each service finds its database. */
export const databaseVariables = (urlOf: (service: string) => string): Record<string, string> =>
  Object.fromEntries(serviceNames.map((name) => [databaseUrlVariable(name), urlOf(name)]))

/** The secrets of the services, or of one of them. */
export const secretVariables = (kept: LocalSecrets, service?: string): Record<string, string> =>
  Object.fromEntries(
    services
      .filter(({ name }) => service === undefined || service === name)
      .flatMap(({ name, secrets }) => secrets.map((secret) => [variableOf(name, secret), kept[secretKey(name, secret)] ?? ''])),
  )

/** Where the services that keep a folder have it in an installation, or one of them. */
export const folderVariables = (home: string, service?: string): Record<string, string> =>
  Object.fromEntries(
    services
      .filter(({ name, keepsFolder }) => keepsFolder && (service === undefined || service === name))
      .map(({ name }) => [variableOf(name, 'FOLDER'), join(home, name)]),
  )
