import { Readable } from 'node:stream'
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import { guarded, isRefusal, unlessRefused } from './imap-answers.client.js'
import { setOf, uid } from './imap-uids.js'
import { type MailboxSource, MessageBroken, type TextOfMessage } from './mailbox-source.js'
import { receivedDate } from './received-date.js'
import { textPlanOf } from './text-of-message.js'

/** The bytes of a large message that are fetched at once. */
const chunkBytes = 1_048_576

/** The most bytes that are fetched together, and one message beyond: more than a batch has, unless its server reports sizes that are too small. */
const maxTogetherBytes = 16 * 1_048_576

/** How much of a header decides about a message; most are shorter. A sender can make one as long as a message. */
const maxHeaderBytes = 102_400

/** An answer of the server, or the part of it that is kept in memory. */
type Kept = (one: FetchMessageObject) => FetchMessageObject

const withShortHeader: Kept = ({ headers, ...one }) =>
  // A copy, because a view would keep the whole header in memory.
  ({ ...one, ...(headers !== undefined && { headers: headers && Buffer.from(headers.subarray(0, maxHeaderBytes)) }) })

const withoutLongHeader: Kept = ({ headers, ...one }) => (headers && headers.length <= maxHeaderBytes ? { ...one, headers } : one)

const withBodiesThatFit = (): Kept => {
  let bytes = 0
  return ({ source, ...one }) => {
    const fits = bytes < maxTogetherBytes
    bytes += source?.length ?? 0
    return fits && source ? { ...one, source } : one
  }
}

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

  /**
   * The answers for messages, by UID. While a command runs, a server also reports changes of flags that others make (RFC 9051, 7.5.2), of these
   * messages and of others: what it says about one message is joined, and other messages are left out.
   * @param kept what of an answer is kept
   */
  const fetched = async (uids: readonly bigint[], query: FetchQueryObject, kept: Kept): Promise<FetchMessageObject[]> => {
    const asked = new Set(uids.map(Number))
    const found = new Map<number, FetchMessageObject>()
    await withoutRefused(uids, async (some) => {
      for await (const one of client.fetch(setOf(some), { ...query, uid: true }, uid))
        if (asked.has(one.uid)) found.set(one.uid, { ...found.get(one.uid), ...kept(one) })
    })
    return [...found.values()]
  }

  return {
    light: (uids) =>
      guarded(async () => {
        const found = await fetched(uids, { size: true, internalDate: true, flags: true, headers: true }, withShortHeader)
        return found
          .flatMap((one) =>
            one.headers === undefined
              ? []
              : [
                  {
                    ...{ uid: BigInt(one.uid), size: one.size ?? 0, seen: one.flags?.has('\\Seen') ?? false },
                    ...{ internalDate: dateOf(one), header: one.headers || new Uint8Array() },
                  },
                ],
          )
          .sort((one, other) => Number(one.uid - other.uid))
      }),

    bodies: (uids) =>
      guarded(async () => {
        // Others count as not sent, and are tried again later.
        const found = await fetched(uids, { source: true }, withBodiesThatFit())
        return new Map(found.flatMap((one) => (one.source ? [[BigInt(one.uid), one.source]] : [])))
      }),

    texts: (uids) =>
      guarded(async () => {
        const texts = new Map<bigint, TextOfMessage>()
        // One with a long header is fetched whole.
        for (const { uid: one, bodyStructure, headers } of await fetched(uids, { bodyStructure: true, headers: true }, withoutLongHeader)) {
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
        return download?.content ? Readable.from(chunksOf(download.content), { objectMode: false }) : null
      }),
  }
}

/** Errors of imapflow that concern the message: it is gone in the middle, or larger than twice its reported size. */
const ofMessage = new Set(['DownloadIncomplete', 'DownloadOverflow'])

async function* chunksOf(content: Readable) {
  try {
    yield* content
  } catch (error) {
    throw isRefusal(error) || ofMessage.has((error as { code?: string }).code ?? '')
      ? new MessageBroken()
      : new MailConnectionError('protocol')
  }
}

/** The last moment that the API can show: its years have four digits. */
const lastMoment = new Date('9999-12-31T23:59:59Z')

/** The date of arrival. Where the server reports none, which imapflow makes the beginning of 1970, or an unreadable one, it is that of the header. */
function dateOf({ internalDate, headers }: FetchMessageObject): Date {
  const reported = new Date(internalDate || 0)
  return reported.getTime() !== 0 && reported <= lastMoment ? reported : receivedDate(headers || new Uint8Array())
}
