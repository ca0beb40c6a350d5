import type { Id } from '@caseway/kit/caller'

/** What of a message says to which conversation it belongs: Message-IDs, without brackets. */
export interface Threaded {
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** As many references as are looked at: the last ones are the nearest (RFC 5322 3.6.4). */
const most = 50

/** The Message-IDs that a message names, in the order in which they decide. */
export function namedIds({ messageId, inReplyTo, references }: Threaded): string[] {
  const nearest = references.slice(-most).reverse()
  return [...new Set([inReplyTo, ...nearest, messageId].filter((id) => id !== null && id !== ''))] as string[]
}

/** What became of messages that were put into conversations. */
export interface Threads {
  /** In the order of the messages. */
  readonly threads: readonly Id[]
  /** Message-IDs that belong to a conversation from now on. */
  readonly members: ReadonlyMap<string, Id>
}

/** How many new conversations messages begin at most. */
export const beginnings = (messages: readonly Threaded[], known: ReadonlyMap<string, Id>): number =>
  messages.filter((message) => !namedIds(message).some((id) => known.has(id))).length

/**
 * Puts messages into conversations, one after the other, so that a message finds those before it.
 * @param known the conversations of Message-IDs
 * @param fresh ids of new conversations, as many as `beginnings` says
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
