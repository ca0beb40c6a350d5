import type { Id } from '@caseway/kit/caller'

/** The Message-IDs by which a message is put into a conversation, without angle brackets. */
export interface Threaded {
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** The most references that count: the last ones are the nearest (RFC 5322, 3.6.4). */
const maxReferences = 50

/** The Message-IDs that a message names, the deciding ones first. */
export function namedIds({ messageId, inReplyTo, references }: Threaded): string[] {
  const nearest = references.slice(-maxReferences).reverse()
  return [...new Set([inReplyTo, ...nearest, messageId].filter((id) => id !== null && id !== ''))] as string[]
}

/** The conversations of messages. */
export interface Threads {
  /** The conversation of each message, in the order of the messages. */
  readonly threads: readonly Id[]
  /** The Message-IDs that are new in a conversation. */
  readonly members: ReadonlyMap<string, Id>
}

/** The most new conversations that messages can begin. */
export const beginnings = (messages: readonly Threaded[], known: ReadonlyMap<string, Id>): number =>
  messages.filter((message) => !namedIds(message).some((id) => known.has(id))).length

/**
 * Assigns messages to conversations one after the other, so that a message finds those before it.
 * @param known the conversations of known Message-IDs
 * @param fresh ids for new conversations, as many as `beginnings` returns
 */
export function thread(messages: readonly Threaded[], known: ReadonlyMap<string, Id>, fresh: readonly Id[]): Threads {
  const members = new Map<string, Id>()
  const unused = fresh.values()
  const threads = messages.map((message) => {
    const ids = namedIds(message)
    const found = ids.map((id) => known.get(id) ?? members.get(id)).find((thread) => thread !== undefined)
    const thread = found ?? (unused.next().value as Id)
    for (const id of ids) if (!known.has(id) && !members.has(id)) members.set(id, thread)
    return thread
  })
  return { threads, members }
}
