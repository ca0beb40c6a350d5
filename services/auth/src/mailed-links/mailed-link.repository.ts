import { platform } from '@caseway/kit/database'
import type { Person } from '../accounts/account.js'
import type { Db } from '../database.js'
import { type FoundLink, type LinkPurpose, lifetimesMs, type MailedLink, stateOf } from './mailed-link.js'

/** Reads and writes in the scope of the platform: links belong to people of all offices, and are opened without a token. */
export const mailedLinkRepository = (db: Db) => ({
  /** Stores a link. Joins the running transaction. */
  add: ({ hash, purpose, person: { kind, id: userId }, login, email, officeId: customerId }: MailedLink): Promise<unknown> =>
    db.write(platform, (tx) => {
      const expires = new Date(Date.now() + lifetimesMs[purpose])
      return tx.mailedLink.create({ data: { hash, purpose, kind, userId, email, customerId, state: stateOf(login), expires } })
    }),

  /** The first of `hashes` whose link is stored and has not expired. */
  async firstOf(hashes: readonly Buffer<ArrayBuffer>[]): Promise<Buffer<ArrayBuffer> | undefined> {
    const where = { hash: { in: [...hashes] }, expires: { gt: new Date() } }
    const found = await db.read(platform).mailedLink.findFirst({ where, select: { hash: true } })
    return hashes.find((hash) => found && hash.equals(found.hash))
  },

  async find(hash: Buffer<ArrayBuffer>, purpose: LinkPurpose, kind: Person['kind']): Promise<FoundLink | null> {
    const found = await db.read(platform).mailedLink.findFirst({ where: { hash, purpose, kind, expires: { gt: new Date() } } })
    if (!found) return null
    const { userId, email, customerId: officeId, state } = found
    return { hash, person: { kind, id: userId }, email, officeId, state }
  },

  /** One transaction for the use of a link and its effects. */
  redeeming: <T>(work: () => Promise<T>): Promise<T> => db.write(platform, () => work()),

  /** Deletes a link, which uses it up. @returns false when it is gone, because a concurrent request has used it, or has expired */
  remove: ({ hash }: FoundLink): Promise<boolean> =>
    db.write(platform, async (tx) => (await tx.mailedLink.deleteMany({ where: { hash, expires: { gt: new Date() } } })).count === 1),
})

export type MailedLinkRepository = ReturnType<typeof mailedLinkRepository>
