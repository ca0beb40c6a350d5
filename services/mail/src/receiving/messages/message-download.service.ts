import type { ParsedMail } from '../../parsing/parsed-mail.js'
import type { Arrived } from '../../received-messages/arrivals/arrived-message.js'
import type { FolderAtWork } from '../folders/folder-at-work.js'
import { MessageBroken, type TextOfMessage } from '../sources/mailbox-source.js'
import { type Decided, isStored, isStreamed, type ToStore } from './fetch-batch.js'
import { failureOf, type Outcome } from './fetch-outcome.js'
import type { MessageStore } from './message-store.service.js'

interface Fetched {
  readonly batch: readonly Decided[]
  readonly bodies: ReadonlyMap<bigint, Uint8Array>
  readonly streamed: ReadonlyMap<Decided, Arrived>
  /** Messages whose files are left on the server. */
  readonly texts: ReadonlyMap<bigint, TextOfMessage>
}

/** Sets the sizes of files that were left out to those that the server reports. */
function withSizes(parsed: ParsedMail, leftOut: readonly number[]): ParsedMail {
  const sizes = leftOut.values()
  return { ...parsed, attachments: parsed.attachments.map((one) => (one.size === 0 ? { ...one, size: sizes.next().value ?? 0 } : one)) }
}

/** Fetches the bytes of messages, and stores and parses them. */
export function messageDownload(store: MessageStore) {
  const arrivedOf = async ({ plan }: FolderAtWork, { message, decision }: ToStore, bytes: Parameters<MessageStore['store']>[0]) => ({
    ...message,
    ...{ decision, silent: plan !== undefined, partial: false },
    ...(await store.store(bytes)),
  })

  /** Stores a message without its files. Its size is that of the whole message on the server. */
  const partOf = async (work: FolderAtWork, one: ToStore, { source, leftOut }: TextOfMessage): Promise<Arrived> => {
    const { parsed, ...arrived } = await arrivedOf(work, one, source)
    return { ...arrived, size: one.message.size, partial: true, parsed: parsed && withSizes(parsed, leftOut) }
  }

  const textsOf = async ({ source, mailbox }: FolderAtWork, batch: readonly Decided[]) => {
    const wanted = batch.filter(isStored).map(({ message }) => message.place.uid)
    return mailbox.downloadAttachments || wanted.length === 0 ? new Map<bigint, TextOfMessage>() : source.texts(wanted)
  }

  const bodiesOf = async ({ source }: FolderAtWork, batch: readonly Decided[]): Promise<ReadonlyMap<bigint, Uint8Array>> => {
    const together = batch.filter((one) => isStored(one) && !isStreamed(one)).map(({ message }) => message.place.uid)
    return together.length > 0 ? source.bodies(together) : new Map()
  }

  /** Stores a large message; null where the server does not send it, or not completely. */
  const streamOf = async (work: FolderAtWork, one: ToStore): Promise<Arrived | null> => {
    const bytes = await work.source.stream(one.message.place.uid)
    return (
      bytes &&
      arrivedOf(work, one, bytes).catch((error: unknown) => {
        if (error instanceof MessageBroken) return null
        throw error
      })
    )
  }

  return {
    /** Fetches the bytes of a batch. Large messages are stored at once, because their stream occupies the connection until it ends. */
    async download(work: FolderAtWork, batch: readonly Decided[]): Promise<Fetched> {
      const texts = await textsOf(work, batch)
      const complete = batch.filter(({ message }) => !texts.has(message.place.uid))
      const bodies = await bodiesOf(work, complete)
      const streamed = new Map<Decided, Arrived>()
      for (const one of complete.filter(isStored)) {
        const arrived = isStreamed(one) && (await streamOf(work, one))
        if (arrived) streamed.set(one, arrived)
      }
      return { batch, bodies, streamed, texts }
    },

    /** Stores and parses the bytes of a batch. */
    async storeFetched(work: FolderAtWork, { batch, bodies, streamed, texts }: Fetched): Promise<Outcome> {
      const wanted = batch.filter(isStored)
      const arrived = await Promise.all(
        wanted.map((one) => {
          const { uid } = one.message.place
          const text = texts.get(uid)
          if (text) return partOf(work, one, text)
          const bytes = bodies.get(uid)
          return bytes ? arrivedOf(work, one, bytes) : streamed.get(one)
        }),
      )
      return {
        batch,
        arrived: arrived.filter((one) => one !== undefined),
        failed: wanted.filter((_, at) => !arrived[at]).map(({ message }) => failureOf(message, 'fetch')),
      }
    },
  }
}
