import { type Subject, subjectKey } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Digests } from '@caseway/kit/secrets'
import type { Db } from '../database.js'

/** How long an address is remembered after a sign-in, in milliseconds. */
export const knownMs = 30 * 86_400_000

/** The addresses from which people have signed in. Only keyed hashes of person and address are stored, so that the table does not reveal where anybody is. */
export const knownAddressRepository = (db: Db, digests: Digests) => {
  const hashesOf = (person: Subject, address: string) => digests(`${subjectKey(person)} ${address}`)
  return {
    async isKnown(person: Subject, address: string): Promise<boolean> {
      const where = { hash: { in: [...hashesOf(person, address)] }, seen: { gt: new Date(Date.now() - knownMs) } }
      return (await db.read(platform).knownAddress.findFirst({ where })) !== null
    },

    /** Remembers an address; joins the transaction of the sign-in. */
    add: (person: Subject, address: string): Promise<unknown> => {
      const [hash] = hashesOf(person, address)
      return db.write(
        platform,
        (tx) => tx.$executeRaw`
          INSERT INTO known_addresses (hash, seen) VALUES (${hash}, now()) ON CONFLICT (hash) DO UPDATE SET seen = excluded.seen`,
      )
    },
  }
}

export type KnownAddressRepository = ReturnType<typeof knownAddressRepository>
