import type { Contestant, Request } from '../contestant.js'
import type { DistributedPlatform } from '../platform/distributed.js'
import { userOf } from '../seeding/offices.js'

/** The default of `POOL_MAX` of a service. */
const poolMax = 10

/** The script of a program in `peers/`. */
export const peerScript = (name: string) => new URL(`../../peers/${name}.js`, import.meta.url)

/** Disables triggers (`session_replication_role`), so that a peer does not do the work that the service's triggers do. */
function withoutTriggers(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', '-c session_replication_role=replica')
  return address.href
}

/** Starts a peer on the database of the cases. */
export const startPeer = (distributed: DistributedPlatform, name: string, env: NodeJS.ProcessEnv = {}) =>
  distributed.start(name, peerScript(name), {
    ...{ DATABASE_URL: withoutTriggers(distributed.databases.cases.url), POOL_MAX: String(poolMax) },
    ...env,
  })

export const nest = 'NestJS with Prisma'

/** Starts NestJS with Prisma; the office is in the query, because it has no tokens. */
export async function startNest(
  distributed: DistributedPlatform,
  requests: readonly (Request & { office: number })[],
): Promise<Contestant> {
  const requestsWithCaller = requests.map(({ office, path, ...request }) => {
    const { customerId, userId } = userOf(office)
    const caller = new URLSearchParams({ customer_id: String(customerId), user_id: String(userId) })
    return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}${caller}` }
  })
  return distributed.peer(await startPeer(distributed, 'nest'), requestsWithCaller)
}
