import { setTimeout as pause } from 'node:timers/promises'
import type { ImapFlow, ListResponse } from 'imapflow'
import pTimeout from 'p-timeout'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import type { MailboxAccess } from '../../mail-connections/mailbox-access.js'
import { granted, guarded, unlessAnsweredNo } from './imap-answers.client.js'
import { folderChanges } from './imap-folder-changes.client.js'
import { imapMessages } from './imap-messages.client.js'
import { maxUid, setOf, uid } from './imap-uids.js'
import type { FolderState, MailboxSource } from './mailbox-source.js'

/** How long a connection may be silent, in milliseconds: longer than the silence of a server in IDLE. */
const silenceMs = 5 * 60_000

export type OpenImap = (
  mailbox: MailboxAccess,
  session: { readonly disableAutoIdle: boolean; readonly socketTimeout: number },
) => Promise<ImapFlow>

const counted = { messages: true, uidNext: true, uidValidity: true, highestModseq: true } as const

/** A mailbox over IMAP, with imapflow. */
export async function imapMailboxSource(open: OpenImap, mailbox: MailboxAccess): Promise<MailboxSource> {
  const client = await open(mailbox, { disableAutoIdle: true, socketTimeout: silenceMs })
  const changes = folderChanges(client)
  let inbox: Pick<FolderState, 'path' | 'uidNext'> = { path: 'INBOX', uidNext: null }
  let listed: ReadonlySet<string> = new Set()

  return {
    canWait: client.capabilities.has('IDLE'),

    folders: () =>
      guarded(async () => {
        changes.reset()
        const holding = (await client.list({ statusQuery: counted })).filter(isStorable)
        const found = holding.flatMap(stateOf)
        listed = new Set(holding.map(({ path }) => path))
        const inboxNow = found.find(({ specialUse }) => specialUse === 'inbox')
        // A mailbox without its inbox is not received.
        if (!inboxNow) throw new MailConnectionError('protocol')
        inbox = inboxNow
        return found
      }),

    isThere: (path) => listed.has(path),

    select: (path) =>
      guarded(async () => {
        const isOpen = client.mailbox && client.mailbox.path === path
        const opened = await unlessAnsweredNo(client.mailboxOpen(path))
        if (!opened) return null
        // A folder that stays open reports new messages only after a command: a search alone would miss them.
        if (isOpen) await client.noop()
        return opened.uidValidity ? { uidValidity: opened.uidValidity } : {}
      }),

    uids: (after) =>
      guarded(async () => {
        // Servers refuse a number of more than 32 bits (RFC 9051, 9).
        if (after >= maxUid) return []
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

    ...imapMessages(client),

    seenSince: (modseq) =>
      guarded(async () => {
        const found = await client.fetchAll('1:*', { uid: true, flags: true }, { ...uid, ...(modseq !== null && { changedSince: modseq }) })
        // A server may report other changes meanwhile, also without UIDs.
        return found.flatMap((one) => (one.uid && one.flags ? [{ uid: BigInt(one.uid), seen: one.flags.has('\\Seen') }] : []))
      }),

    setSeen: (uids, seen) =>
      guarded(() =>
        seen ? client.messageFlagsAdd(setOf(uids), ['\\Seen'], uid) : client.messageFlagsRemove(setOf(uids), ['\\Seen'], uid),
      ),

    wait: (timeoutMs, signal) =>
      guarded(async () => {
        const selected = client.mailbox && client.mailbox.path === inbox.path ? client.mailbox : await client.mailboxOpen(inbox.path)
        const isNew = inbox.uidNext !== null && BigInt(selected.uidNext ?? 0) > inbox.uidNext
        if (signal.aborted || changes.reported || isNew) return client.usable
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

/** The most bytes of a path: the longest that an index can hold is about 2700. */
const maxPathBytes = 2500

/** Whether PostgreSQL can store the path of a folder: names in modified UTF-7 may contain NUL and lone surrogates. */
const isStorable = ({ path }: ListResponse) => path.isWellFormed() && !path.includes('\0') && Buffer.byteLength(path) <= maxPathBytes

/** The state of a folder; none where the server does not report it. */
function stateOf({ path, specialUse, status }: ListResponse): FolderState[] {
  if (status?.uidValidity === undefined) return []
  // The folder of all mail contains each message a second time.
  if (specialUse === '\\All' || specialUse === '\\Flagged') return []
  const use = specialUse?.slice(1).toLowerCase() ?? null
  const { uidValidity, uidNext, messages = 0 } = status
  // 0 means that the folder has no mod-sequences (RFC 7162, 3.1.2.2).
  const highestModseq = status.highestModseq || null
  return [
    {
      path,
      specialUse: path.toUpperCase() === 'INBOX' ? 'inbox' : use,
      uidValidity,
      uidNext: uidNext === undefined ? null : BigInt(uidNext),
      highestModseq,
      messages,
    },
  ]
}
