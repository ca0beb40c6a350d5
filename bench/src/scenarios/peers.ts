import type { Contestant, Request } from '../contestant.js'
import type { DistributedPlatform } from '../platform/distributed.js'
import { userOf } from '../seeding/offices.js'

/** The default of a service (`POOL_MAX`). */
const poolMax = 10

/** One of the programs in `peers/`. */
export const peerScript = (name: string) => new URL(`../../peers/${name}.js`, import.meta.url)

/** No trigger fires for it (PostgreSQL docs, `session_replication_role`): what the service keeps beside a row is no work of a peer. */
function withoutTriggers(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', '-c session_replication_role=replica')
  return address.href
}

/** A peer that works with the database of the cases. */
export const startPeer = (distributed: DistributedPlatform, name: string, env: NodeJS.ProcessEnv = {}) =>
  distributed.start(name, peerScript(name), {
    ...{ DATABASE_URL: withoutTriggers(distributed.databases.cases.url), POOL_MAX: String(poolMax) },
    ...env,
  })

export const nest = 'NestJS with Prisma'

/** NestJS with Prisma, asked for the same by an office: it has no token to know it by. */
export async function startNest(
  distributed: DistributedPlatform,
  requests: readonly (Request & { office: number })[],
): Promise<Contestant> {
  const asked = requests.map(({ office, path, ...request }) => {
    const { customerId, userId } = userOf(office)
    const caller = new URLSearchParams({ customer_id: String(customerId), user_id: String(userId) })
    return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}${caller}` }
  })
  return distributed.peer(await startPeer(distributed, 'nest'), asked)
}
