import { definitions } from '@caseway/command/definitions'
import { databaseVariables, folderVariables, secretVariables } from '@caseway/command/local-secrets'
import { config as gatewayConfig } from '@caseway/gateway/config'
import { ConfigError, grpcVariables, httpVariables, processVariables, unusable } from '@caseway/kit/config'
import type { Home } from './home.js'

/** What the launcher sets itself: where a part listens, its events, log, traces and certificates, its database, secrets and folder. */
const ownVariables = new Set<unknown>(Object.values({ ...processVariables, ...httpVariables, ...grpcVariables }))
const ownNames = Object.keys({ ...databaseVariables(() => ''), ...secretVariables({}), ...folderVariables('') })

const settings = [...definitions.map(({ config }) => config), gatewayConfig]
  .flatMap((config) => config.variables())
  .filter(({ name, variable }) => !ownVariables.has(variable) && !ownNames.includes(name))

/**
 * The variables of the services and the gateway that are set in the launcher's environment, which are passed on. The addresses among them are overridden
 * by those of the platform.
 */
export const settingsOf = (env: NodeJS.ProcessEnv, { folder }: Pick<Home, 'folder'>): Record<string, string> => ({
  ...Object.fromEntries(settings.flatMap(({ name }) => (env[name] ? [[name, env[name]]] : []))),
  CASEWAY_HOME: folder,
})

/** Checks these variables for all services together. @throws ConfigError that lists every invalid one */
export function requireUsable(env: NodeJS.ProcessEnv): void {
  const problems = unusable(settings, env)
  if (problems.length > 0) throw new ConfigError(problems)
}
