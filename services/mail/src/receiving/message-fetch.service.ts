import { LeaseLost, type Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { MailParser } from '../parsing/mail-parser.js'
import type { ParsedMail } from '../parsing/parsed-mail.js'
import type { Announced, Arrived, Decision, Intake, ReceivingMailbox } from '../received-messages/arrived-message.js'
import { ahead } from './ahead.js'
import type { Counted } from './backfill.js'
import { batchesOf, type Decided, isStored, isStreamed, type ToStore } from './fetch-batch.js'
import type { LightMessage, MailboxSource, TextOfMessage } from './mailbox-source.js'
import type { MessageStore } from './message-store.service.js'
import type { RemoteFolder } from './remote-folder.js'
import type { Failure, RemoteFolderRepository } from './remote-folder.repository.js'

export interface FetchParts {
  readonly intake: Intake
  readonly parser: MailParser
  readonly store: MessageStore
  readonly folders: Pick<RemoteFolderRepository, 'advance'>
  /** Whether the database or the storage may work again later. */
  readonly isTemporary: (error: unknown) => boolean
}

/** How older messages are fetched, by a backfill. */
export interface FetchPlan {
  decide(messages: readonly Announced[]): Promise<readonly Decision[]>
  /** Called in the transaction that stores a batch. */
  count(tx: Tx, counted: Counted): Promise<void>
  /** The cursor of the job after a batch that ends with this UID, so that nothing is counted twice. */
  cursor(uid: bigint): unknown
}

export interface FolderAtWork {
  readonly run: Run<unknown>
  readonly mailbox: ReceivingMailbox
  readonly source: MailboxSource
  readonly folder: RemoteFolder
  /** Without a plan the intake decides. */
  readonly plan?: FetchPlan
}

/** Pages of messages, as the server describes them. */
export type Pages = AsyncIterable<readonly LightMessage[]>

interface Fetched {
  readonly batch: readonly Decided[]
  readonly bodies: ReadonlyMap<bigint, Uint8Array>
  readonly streamed: ReadonlyMap<Decided, Arrived>
  /** Messages whose files are left on the server. */
  readonly texts: ReadonlyMap<bigint, TextOfMessage>
}

/** The outcome of a batch. */
interface Outcome {
  readonly batch: readonly Decided[]
  readonly arrived: readonly Arrived[]
  readonly failed: readonly Failure[]
}

const failureOf = ({ place: { uid, uidl } }: Announced, error: Failure['error']): Failure => ({ uid, uidl: uidl ?? null, error })

/** Sets the sizes of files that were left out to those that the server reports. */
function withSizes(parsed: ParsedMail, leftOut: readonly number[]): ParsedMail {
  const sizes = leftOut.values()
  return { ...parsed, attachments: parsed.attachments.map((one) => (one.size === 0 ? { ...one, size: sizes.next().value ?? 0 } : one)) }
}

/** Fetches and stores messages of a folder. */
export function messageFetch({ intake, parser, store, folders, isTemporary }: FetchParts) {
  const announce = async ({ folder }: FolderAtWork, light: readonly LightMessage[]): Promise<Announced[]> => {
    const headers = await parser.headers(light.map(({ header }) => header))
    const { id: remoteFolderId, epoch, specialUse } = folder
    return light.flatMap(({ uid, uidl, size, internalDate, seen }, at) => {
      const read = headers[at]
      return read
        ? [
            {
              place: { remoteFolderId, epoch, uid, specialUse, ...(uidl !== undefined && { uidl }) },
              size,
              internalDate,
              seen,
              headers: read,
            },
          ]
        : []
    })
  }

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

  /** Fetches the bytes of a batch. Large messages are stored at once, because their stream occupies the connection until it ends. */
  const fetched = async (work: FolderAtWork, batch: readonly Decided[]): Promise<Fetched> => {
    const texts = await textsOf(work, batch)
    const whole = batch.filter(({ message }) => !texts.has(message.place.uid))
    const bodies = await bodiesOf(work, whole)
    const streamed = new Map<Decided, Arrived>()
    for (const one of whole.filter(isStored)) {
      const bytes = isStreamed(one) ? await work.source.stream(one.message.place.uid) : null
      if (bytes) streamed.set(one, await arrivedOf(work, one, bytes))
    }
    return { batch, bodies, streamed, texts }
  }

  /** Stores and parses the bytes of a batch. */
  const arrive = async (work: FolderAtWork, { batch, bodies, streamed, texts }: Fetched): Promise<Outcome> => {
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
  }

  async function* batches(work: FolderAtWork, pages: Pages) {
    for await (const light of pages) {
      const announced = await announce(work, light)
      const decisions = await (work.plan?.decide(announced) ?? intake.decide(work.mailbox, announced))
      const decided = announced.flatMap((message, at) => {
        const decision = decisions[at]
        return decision ? [{ message, decision }] : []
      })
      for (const batch of batchesOf(decided)) yield await fetched(work, batch)
    }
  }

  async function* outcomes(work: FolderAtWork, pages: Pages) {
    for await (const one of ahead(batches(work, pages))) yield await arrive(work, one)
  }

  /** Writes the messages and the cursor of the folder in one transaction. */
  const commit = async ({ run, mailbox, folder, plan }: FolderAtWork, { batch, arrived, failed }: Outcome) => {
    const discarded = batch.flatMap(({ message, decision }) =>
      decision.kind === 'discard' ? [{ ...message, reason: decision.reason }] : [],
    )
    const uids = batch.map(({ message }) => message.place.uid)
    const failedUids = new Set(failed.map(({ uid }) => uid))
    const done = uids.filter((uid) => !failedUids.has(uid))
    const lastUid = uids.at(-1) ?? 0n
    const { unusedBlobs } = await run.checkpoint(plan?.cursor(lastUid) ?? null, async (plain) => {
      const tx = plain as Tx
      const result = await intake.store(tx, mailbox, arrived)
      await intake.discard(tx, mailbox, discarded)
      await folders.advance(tx, folder, lastUid, failed, done)
      const { stored, duplicates } = result
      const bytes = arrived.reduce((sum, { size }) => sum + size, 0)
      await plan?.count(tx, { stored, duplicates, discarded: discarded.length, errors: failed.length, bytes })
      return result
    })
    await store.remove(unusedBlobs.map((blobKey) => ({ blobKey })))
  }

  /** Writes messages one by one. One that cannot be stored is recorded as failed, and does not block the others. */
  const commitEach = async (work: FolderAtWork, { batch, arrived, failed }: Outcome) => {
    for (const one of batch) {
      const { uid } = one.message.place
      const own = {
        batch: [one],
        arrived: arrived.filter(({ place }) => place.uid === uid),
        failed: failed.filter((failure) => failure.uid === uid),
      }
      await commit(work, own).catch(async (error: unknown) => {
        if (error instanceof LeaseLost || isTemporary(error)) throw error
        await commit(work, { batch: [one], arrived: [], failed: [failureOf(one.message, 'store')] })
        await store.remove(own.arrived)
      })
    }
  }

  return {
    announce,

    /**
     * Fetches messages; when it resolves, each is stored, discarded or recorded as failed. While a batch is committed, the next is stored and parsed,
     * and the one after it fetched. Bytes that were stored ahead of a failure are left to the sweep.
     */
    async fetch(work: FolderAtWork, pages: Pages): Promise<void> {
      for await (const outcome of ahead(outcomes(work, pages))) {
        work.run.signal.throwIfAborted()
        try {
          await commit(work, outcome)
        } catch (error) {
          // The transaction has written nothing.
          if (error instanceof LeaseLost) await store.remove(outcome.arrived)
          if (error instanceof LeaseLost || isTemporary(error)) throw error
          await commitEach(work, outcome)
        }
      }
    },
  }
}

export type MessageFetch = ReturnType<typeof messageFetch>
