import { resyncCopy } from '@caseway/kit/events'
import { services } from '@caseway/registry'
import { withOwners } from './owner-addresses.js'
import { inServices } from './services.js'

/** Services of whose data others may keep copies. */
const owners = services.filter(({ grpc }) => grpc).map(({ name }) => name)
/** Services that call others, and so may keep copies of their data. */
const keepers = services.filter(({ asks }) => asks.length > 0).map(({ name }) => name)

/**
 * Fills copies again from the snapshots of their owners.
 * @param wanted the name of one copy, in every service that keeps it; default: all copies
 * @returns the names of the copies that were read, and of all copies
 */
export async function resyncCopies(env: NodeJS.ProcessEnv, wanted?: string): Promise<{ read: string[]; known: string[] }> {
  const known = new Set<string>()
  const copies = await withOwners(env, owners, (env) =>
    inServices(env, keepers, async ({ db, copies }) => {
      for (const { name } of copies) known.add(name)
      const chosen = copies.filter(({ name }) => wanted === undefined || name === wanted)
      for (const copy of chosen) await resyncCopy(db, copy)
      return chosen.map(({ name }) => name)
    }),
  )
  return { read: [...new Set(copies.flat())], known: [...known] }
}
