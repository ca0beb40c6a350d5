import { resyncCopy } from '@caseway/kit/events'
import { services } from '@caseway/registry'
import { withOwners } from './owner-addresses.js'
import { inServices } from './services.js'

/** Those of whose data copies may be kept. */
const owners = services.filter(({ grpc }) => grpc).map(({ name }) => name)
/** Whoever asks another service may have copied something of it. */
const keepers = services.filter(({ asks }) => asks.length > 0).map(({ name }) => name)

/**
 * Reads the snapshots of the owners again.
 * @param wanted one copy, in every service that keeps it; without it all
 * @returns the names of the copies that were read, and of all there are
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
