import { platform } from '@caseway/kit/database'
import type { Person } from '../accounts/account.js'
import type { Db } from '../database.js'
import { type FoundLink, type LinkPurpose, lifetimesMs, type MailedLink, stateOf } from './mailed-link.js'

/** Links are about people of all offices, and are opened by whoever has them: the platform keeps them. */
export const mailedLinkRepository = (db: Db) => ({
  /** Joins the transaction that is running. */
  add: ({ hash, purpose, person: { kind, id: userId }, login, email, officeId: customerId }: MailedLink): Promise<unknown> =>
    db.write(platform, (tx) => {
      const expires = new Date(Date.now() + lifetimesMs[purpose])
      return tx.mailedLink.create({ data: { hash, purpose, kind, userId, email, customerId, state: stateOf(login), expires } })
    }),

  /** The first of `hashes` that is kept and has not expired. */
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

  /** One transaction: the use of a link, with everything that follows from it. */
  redeeming: <T>(work: () => Promise<T>): Promise<T> => db.write(platform, () => work()),

  /** @returns false when it is no longer there: another request was first, or it has expired */
  remove: ({ hash }: FoundLink): Promise<boolean> =>
    db.write(platform, async (tx) => (await tx.mailedLink.deleteMany({ where: { hash, expires: { gt: new Date() } } })).count === 1),
})

export type MailedLinkRepository = ReturnType<typeof mailedLinkRepository>
