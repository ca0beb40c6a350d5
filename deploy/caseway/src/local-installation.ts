import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import type { KafkaSettings } from '@caseway/kit/events'
import { databaseVariables, folderVariables, type LocalSecrets, passwordKey, secretVariables } from './local-secrets.js'
import { Problem } from './problem.js'

/** The variables with which the services of the platform that runs in `home` are configured. */
export function localVariables(home: string): Record<string, string> {
  const server = runningServer(join(home, 'postgres'))
  if (!server?.ready || !isAlive(server.pid)) {
    throw new Problem(
      `No Caseway runs in ${home}: start it with npm start, name its folder in CASEWAY_HOME, or set the variables of the services.`,
    )
  }
  const secrets = secretsOf(home)
  const urlOf = (service: string) =>
    `postgresql://${service}:${encodeURIComponent(secrets[passwordKey(service)] ?? '')}@127.0.0.1:${server.port}/${service}`
  return { TOKEN_ISSUER: 'caseway', ...databaseVariables(urlOf), ...secretVariables(secrets), ...folderVariables(home) }
}

function secretsOf(home: string): LocalSecrets {
  try {
    return JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))
  } catch {
    throw new Problem(`The file secrets.json in ${home} cannot be read: run the command as the user who started Caseway.`)
  }
}

/** The settings of the Kafka that runs in `home`; undefined where none runs. */
export function localKafka(home: string): KafkaSettings | undefined {
  const settings = join(home, 'kafka', 'server.properties')
  if (!existsSync(settings) || !existsSync(`${settings}.pid`)) return undefined
  if (!isAlive(Number(readFileSync(`${settings}.pid`, 'utf8')))) return undefined
  const address = /^advertised\.listeners=CLIENTS:\/\/(\S+)$/m.exec(readFileSync(settings, 'utf8'))?.[1]
  if (!address) return undefined
  const { kafka: password = '' } = secretsOf(home)
  return { brokers: [address], security: { caFile: join(home, 'certificates', 'ca.pem'), username: 'caseway', password } }
}
