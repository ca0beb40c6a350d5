import { setTimeout as pause } from 'node:timers/promises'
import type { FetchMessageObject, ImapFlow, ListResponse } from 'imapflow'
import pTimeout from 'p-timeout'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { MailboxAccess } from '../mail-connections/mailbox-access.js'
import type { FolderState, MailboxSource, TextOfMessage } from './mailbox-source.js'
import { textPlanOf } from './text-of-message.js'

/** How long a connection may be silent, in milliseconds: longer than the silence of a server in IDLE. */
const silenceMs = 5 * 60_000
/** The bytes of a large message that are fetched at once. */
const chunkBytes = 1_048_576

export type OpenImap = (
  mailbox: MailboxAccess,
  session: { readonly disableAutoIdle: boolean; readonly socketTimeout: number },
) => Promise<ImapFlow>

const counted = { messages: true, uidNext: true, uidValidity: true, highestModseq: true } as const
const setOf = (uids: readonly bigint[]) => uids.join(',')
const uid = { uid: true } as const

/** Uses imapflow. Error texts of the server are dropped: they may repeat what was sent to it. */
export async function imapMailboxSource(open: OpenImap, mailbox: MailboxAccess): Promise<MailboxSource> {
  const client = await open(mailbox, { disableAutoIdle: true, socketTimeout: silenceMs })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof MailConnectionError ? error : new MailConnectionError('protocol')
    }
  }
  /** Unwraps an answer of imapflow, which is false or undefined where the server refuses. */
  const granted = <T>(answer: T | false | undefined): T => {
    if (answer === false || answer === undefined) throw new MailConnectionError('protocol')
    return answer
  }

  /**
   * Calls `take` with all messages. If the server refuses one of them (RFC 9051, 6.4.5), it calls `take` for each alone, so that the others arrive.
   * `take` may get a message twice.
   */
  const withoutRefused = async (uids: readonly bigint[], take: (uids: readonly bigint[]) => Promise<void>) => {
    const isDone = (some: readonly bigint[]) => unlessRefused(take(some).then(() => true))
    if (await isDone(uids)) return
    for (const one of uids) await isDone([one])
  }

  const changes = changesOf(client)
  let inbox = { path: 'INBOX', uidNext: 0n }
  let listed: ReadonlySet<string> = new Set()

  return {
    canWait: client.capabilities.has('IDLE'),

    folders: () =>
      guarded(async () => {
        changes.reset()
        const all = await client.list({ statusQuery: counted })
        const found = all.flatMap(stateOf)
        listed = new Set(all.map(({ path }) => path))
        inbox = found.find(({ specialUse }) => specialUse === 'inbox') ?? inbox
        return found
      }),

    isThere: (path) => listed.has(path),

    select: (path) =>
      guarded(async () => {
        const isOpen = client.mailbox && client.mailbox.path === path
        await client.mailboxOpen(path)
        // A folder that stays open reports new messages only after a command: a search alone would miss them.
        if (isOpen) await client.noop()
      }),

    uids: (after) =>
      guarded(async () => {
        const found = granted(await client.search({ uid: `${after + 1n}:*` }, uid))
        // "n:*" names the last message even where its UID is below n (RFC 9051, 9).
        return found
          .map(BigInt)
          .filter((one) => one > after)
          .sort((one, other) => Number(one - other))
      }),

    uidsBetween: (since, before) =>
      guarded(async () => {
        const found = granted(await client.search({ since, before }, uid))
        return found.map(BigInt).sort((one, other) => Number(one - other))
      }),

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
          const asked =
            plan.sections.length > 0 ? client.fetchOne(String(one), { uid: true, bodyParts: [...plan.sections] }, uid) : undefined
          const fetched = asked && (await unlessRefused(asked))
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

    seenSince: (modseq) =>
      guarded(async () => {
        const found = await client.fetchAll('1:*', { uid: true, flags: true }, { ...uid, ...(modseq !== null && { changedSince: modseq }) })
        return found.map((one) => ({ uid: BigInt(one.uid), seen: one.flags?.has('\\Seen') ?? false }))
      }),

    setSeen: (uids, seen) =>
      guarded(async () => {
        const change = seen ? client.messageFlagsAdd(setOf(uids), ['\\Seen'], uid) : client.messageFlagsRemove(setOf(uids), ['\\Seen'], uid)
        await change
      }),

    wait: (timeoutMs, signal) =>
      guarded(async () => {
        const selected = client.mailbox && client.mailbox.path === inbox.path ? client.mailbox : await client.mailboxOpen(inbox.path)
        const isNew = BigInt(selected.uidNext) > inbox.uidNext
        if (signal.aborted || changes.heard || isNew) return client.usable
        const over = new AbortController()
        // The next command ends IDLE.
        client.idle().catch(() => undefined)
        const paused = pause(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined)
        await Promise.race([changes.next(), paused])
        over.abort()
        return client.usable
      }),

    async close() {
      await pTimeout(client.logout(), { milliseconds: 1000, message: false }).catch(() => undefined)
      client.close()
    },
  }
}

/** Response codes of temporary errors (RFC 5530, 3), and imapflow's code for too many requests. */
const temporary = ['UNAVAILABLE', 'INUSE', 'SERVERBUG', 'ETHROTTLE']

/** Whether the server has refused a command for good, and the connection can be used further. */
function isRefusal(error: unknown): boolean {
  const { responseStatus = '', serverResponseCode = '', code = '' } = error as Partial<Record<string, string>>
  return ['NO', 'BAD'].includes(responseStatus) && !temporary.includes(serverResponseCode) && !temporary.includes(code)
}

/** Resolves to null where the server refuses. */
const unlessRefused = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return null
  })

/** Notes that the server has reported a change of the open folder, in response to any command. */
function changesOf(client: ImapFlow) {
  let change = Promise.withResolvers<void>()
  let heard = false
  const note = () => {
    heard = true
    change.resolve()
  }
  for (const event of ['exists', 'expunge', 'flags', 'close']) client.on(event, note)
  return {
    get heard() {
      return heard
    },
    next: () => change.promise,
    reset() {
      heard = false
      change = Promise.withResolvers()
    },
  }
}

/** The state of a folder; none where it cannot be selected, or the server does not report its state. */
function stateOf({ path, specialUse, flags, status }: ListResponse): FolderState[] {
  if (flags.has('\\Noselect') || flags.has('\\NonExistent') || status?.uidValidity === undefined) return []
  // The folder of all mail contains each message a second time.
  if (specialUse === '\\All' || specialUse === '\\Flagged') return []
  const use = specialUse?.slice(1).toLowerCase() ?? null
  const { uidValidity, uidNext = 1, messages = 0 } = status
  // 0 means that the folder has no mod-sequences (RFC 7162, 3.1.2.2).
  const highestModseq = status.highestModseq || null
  return [
    { path, specialUse: path.toUpperCase() === 'INBOX' ? 'inbox' : use, uidValidity, uidNext: BigInt(uidNext), highestModseq, messages },
  ]
}

/** The date of arrival; now where the server reports none, or an unreadable one. */
function dateOf(said: Date | string | undefined): Date {
  const date = new Date(said ?? Date.now())
  return Number.isNaN(date.getTime()) ? new Date() : date
}
