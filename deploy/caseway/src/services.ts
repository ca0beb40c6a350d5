import { openAdministration as openAuthAdministration } from '@caseway/auth/assembly'
import { ownConfig as authConfig } from '@caseway/auth/config'
import { openAdministration as openCasesAdministration } from '@caseway/cases-and-counters/assembly'
import { ownConfig as casesConfig } from '@caseway/cases-and-counters/config'
import type { Database } from '@caseway/kit/database'
import type { Consumer } from '@caseway/kit/events'
import { createLog } from '@caseway/kit/observability'
import { serviceVariables } from './environment.js'

/** Whatever is worth a word is said by the command. */
export const log = createLog({ service: 'caseway', level: 'silent' })

export const openAuth = async (env: NodeJS.ProcessEnv) => ({
  // It tells, and hears nothing.
  consumers: [],
  ...(await openAuthAdministration(authConfig.read(serviceVariables(env)), log)),
})

export const openCases = async (env: NodeJS.ProcessEnv) => openCasesAdministration(casesConfig.read(serviceVariables(env)), log)

export type Auth = Awaited<ReturnType<typeof openAuth>>
export type Cases = Awaited<ReturnType<typeof openCases>>

/** What every service has: a database with an outbox and dead letters, and perhaps consumers, in a group of its name. */
export interface Service {
  readonly db: Database<unknown>
  readonly consumers: readonly Consumer[]
  close(): Promise<void>
}

const openers = { auth: openAuth, 'cases-and-counters': openCases } satisfies Record<string, (env: NodeJS.ProcessEnv) => Promise<Service>>

export type ServiceName = keyof typeof openers
export const serviceNames = Object.keys(openers) as ServiceName[]

/** Closes what was opened, however `work` ends. */
export async function using<Opened extends { close(): unknown }, T>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await opening
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** What `work` finds in each service, one after the other, or in the one that is named. */
export async function inServices<T>(
  env: NodeJS.ProcessEnv,
  named: ServiceName | undefined,
  work: (service: Service, name: ServiceName) => Promise<T>,
): Promise<T[]> {
  const found: T[] = []
  for (const name of named ? [named] : serviceNames) {
    found.push(await using<Service, T>(openers[name](env), (service) => work(service, name)))
  }
  return found
}
