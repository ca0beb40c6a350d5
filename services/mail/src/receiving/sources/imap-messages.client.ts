import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { guarded, unlessRefused } from './imap-answers.client.js'
import { setOf, uid } from './imap-uids.js'
import type { MailboxSource, TextOfMessage } from './mailbox-source.js'
import { textPlanOf } from './text-of-message.js'

/** The bytes of a large message that are fetched at once. */
const chunkBytes = 1_048_576

/** Fetches messages of the open folder. */
export function imapMessages(client: ImapFlow): Pick<MailboxSource, 'light' | 'bodies' | 'texts' | 'stream'> {
  /**
   * Calls `take` with all messages. If the server refuses one of them (RFC 9051, 6.4.5), it calls `take` for each alone, so that the others arrive.
   * `take` may get a message twice.
   */
  const withoutRefused = async (uids: readonly bigint[], take: (uids: readonly bigint[]) => Promise<void>) => {
    const isDone = (some: readonly bigint[]) => unlessRefused(take(some).then(() => true))
    if (await isDone(uids)) return
    for (const one of uids) await isDone([one])
  }

  return {
    light: (uids) =>
      guarded(async () => {
        const query = { uid: true, size: true, internalDate: true, flags: true, headers: true }
        const found = new Map<number, FetchMessageObject>()
        await withoutRefused(uids, async (some) => {
          for await (const one of client.fetch(setOf(some), query, uid)) found.set(one.uid, one)
        })
        return [...found.values()]
          .map((one) => ({
            ...{ uid: BigInt(one.uid), size: one.size ?? 0, seen: one.flags?.has('\\Seen') ?? false },
            ...{ internalDate: dateOf(one.internalDate), header: one.headers ?? new Uint8Array() },
          }))
          .sort((one, other) => Number(one.uid - other.uid))
      }),

    bodies: (uids) =>
      guarded(async () => {
        const bodies = new Map<bigint, Uint8Array>()
        await withoutRefused(uids, async (some) => {
          for await (const one of client.fetch(setOf(some), { uid: true, source: true }, uid))
            if (one.source) bodies.set(BigInt(one.uid), one.source)
        })
        return bodies
      }),

    texts: (uids) =>
      guarded(async () => {
        const texts = new Map<bigint, TextOfMessage>()
        const structures = new Map<number, FetchMessageObject>()
        await withoutRefused(uids, async (some) => {
          for await (const one of client.fetch(setOf(some), { uid: true, bodyStructure: true, headers: true }, uid))
            structures.set(one.uid, one)
        })
        for (const { uid: one, bodyStructure, headers } of structures.values()) {
          const plan = bodyStructure && textPlanOf(bodyStructure)
          if (!plan || !headers) continue
          const parts =
            plan.sections.length > 0 ? client.fetchOne(String(one), { uid: true, bodyParts: [...plan.sections] }, uid) : undefined
          const fetched = parts && (await unlessRefused(parts))
          // The message is fetched whole then.
          if (fetched === null) continue
          const source = plan.assemble(headers, (fetched || undefined)?.bodyParts ?? new Map())
          if (source) texts.set(BigInt(one), { source, leftOut: plan.leftOut })
        }
        return texts
      }),

    stream: (one) =>
      guarded(async () => {
        const download = await unlessRefused(client.download(String(one), undefined, { ...uid, chunkSize: chunkBytes }))
        return download?.content ?? null
      }),
  }
}

/** The date of arrival; now where the server reports none, or an unreadable one. */
function dateOf(reported: Date | string | undefined): Date {
  const date = new Date(reported ?? Date.now())
  return Number.isNaN(date.getTime()) ? new Date() : date
}
