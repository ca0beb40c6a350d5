import type { Id } from '@caseway/kit/caller'
import { createLog } from '@caseway/kit/observability'
import { countOfficeRows } from '@caseway/kit/office-data'
import type { Administered, Service } from '@caseway/kit/service'
import { serviceNames } from '@caseway/registry'
import { definitions } from './definitions.js'
import { serviceVariables } from './environment.js'

/** Silent, because a command prints its own result. */
export const log = createLog({ service: 'caseway', level: 'silent' })

const [auth, casesAndCounters, files, companyCard, , partner, mail] = definitions

const open = <Administration>(service: Service<Administration>, env: NodeJS.ProcessEnv) => service.open(serviceVariables(env), log)

export const openAuth = async (env: NodeJS.ProcessEnv) => open(auth, env)
export const openCases = async (env: NodeJS.ProcessEnv) => open(casesAndCounters, env)
export const openFiles = async (env: NodeJS.ProcessEnv) => open(files, env)
export const openCards = async (env: NodeJS.ProcessEnv) => open(companyCard, env)
export const openPartner = async (env: NodeJS.ProcessEnv) => open(partner, env)
export const openMail = async (env: NodeJS.ProcessEnv) => open(mail, env)

/** Opens a service by its name, for operations that all services have. */
export const openService = (env: NodeJS.ProcessEnv, name: string): Promise<Administered<unknown>> => {
  const service = (definitions as readonly Service[]).find((definition) => definition.name === name)
  if (!service) throw new Error(`There is no service ${name}.`)
  return open(service, env)
}

export type Auth = Awaited<ReturnType<typeof openAuth>>
export type Cases = Awaited<ReturnType<typeof openCases>>
export type Files = Awaited<ReturnType<typeof openFiles>>
export type Partner = Awaited<ReturnType<typeof openPartner>>
export type Mail = Awaited<ReturnType<typeof openMail>>
export type Cards = Awaited<ReturnType<typeof openCards>>

/** Runs `work` and closes `opening` afterwards, also after an error. */
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

type ServiceWork<T> = (service: Administered<unknown>, definition: Pick<Service, 'name' | 'tables'>) => Promise<T>

/** Runs `work` in each of the named services, one after the other. @returns the results, in the order of `definitions` */
export async function inServices<T>(env: NodeJS.ProcessEnv, names: readonly string[], work: ServiceWork<T>): Promise<T[]> {
  const results: T[] = []
  for (const definition of (definitions as readonly Service[]).filter(({ name }) => names.includes(name))) {
    results.push(await using(open(definition, env), (opened) => work(opened, definition)))
  }
  return results
}

/** Like `inServices`, for all services. */
export const inEveryService = <T>(env: NodeJS.ProcessEnv, work: ServiceWork<T>): Promise<T[]> => inServices(env, serviceNames, work)

/** The number of rows of an office in each table of each service. */
export async function rowsOfOffice(env: NodeJS.ProcessEnv, office: Id) {
  const counted = await inEveryService(env, async ({ db }, { name: service, tables }) =>
    Object.entries(await countOfficeRows(db, tables, office)).map(([table, rows]) => ({ service, table, rows })),
  )
  return counted.flat()
}
