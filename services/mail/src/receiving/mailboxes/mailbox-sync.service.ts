import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import type { Run } from '@caseway/kit/jobs'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../../mail-connections/mailbox-access.js'
import type { FolderSync } from '../folders/folder-sync.service.js'
import { isUnchanged } from '../folders/remote-folder.js'
import type { RemoteFolderRepository } from '../folders/remote-folder.repository.js'
import type { MailboxSource } from '../sources/mailbox-source.js'
import type { MailboxHealth } from './mailbox-health.repository.js'
import { enqueueSync, type MailboxSync } from './mailbox-sync.job.js'
import type { MailboxWakes } from './mailbox-wakes.js'
import { isReceived, receivingOf } from './receiving-mailbox.js'

export interface MailboxSyncParts {
  readonly mailboxes: {
    /** @throws MailConnectionError where the OAuth 2.0 provider does not answer */
    toOpen(customerId: Id, id: Id): Promise<Mailbox | null>
    /** To be called when the server has refused the login. */
    refused(mailbox: Mailbox): Promise<void>
  }
  /** @throws MailConnectionError */
  readonly open: (mailbox: Mailbox) => Promise<MailboxSource>
  readonly folderSync: FolderSync
  readonly folders: Pick<RemoteFolderRepository, 'known' | 'begin'>
  readonly health: MailboxHealth
  readonly wakes: MailboxWakes
  readonly timeZoneOf: (customerId: Id) => Promise<string>
  /** The interval between two checks of folders that the server does not watch, in milliseconds. */
  readonly intervalMs: number
}

/** How long one connection is kept, in milliseconds. Then the mailbox is enqueued again, and may run in another copy. */
const sessionMs = 20 * 60_000

/** The least time between the beginnings of two rounds, in milliseconds, unless a user asks for the next one. */
const roundMs = 1000

/** Receives a mailbox, and continues for as long as the server notifies of changes (IDLE). */
export function mailboxSync({
  mailboxes,
  open,
  folderSync,
  folders,
  health,
  wakes,
  timeZoneOf,
  intervalMs,
}: MailboxSyncParts): MailboxSync {
  const toReceive = async (customerId: Id, id: Id) => {
    const mailbox = await mailboxes.toOpen(customerId, id)
    return isReceived(mailbox) ? mailbox : null
  }

  /** Synchronises all folders. @returns false where the mailbox has changed meanwhile */
  const syncAll = async (run: Run<unknown>, mailbox: Mailbox, source: MailboxSource) => {
    const there = await source.folders()
    const known = await folders.known(mailbox)
    const changed = there.filter((state) => {
      const folder = known.get(state.path)
      return !folder || !isUnchanged(folder, state)
    })
    const fresh = there.filter(({ path }) => !known.has(path))
    if (fresh.length > 0 && !(await folders.begin(mailbox, fresh))) return false
    if (changed.length > 0) {
      const receiving = receivingOf(mailbox, await timeZoneOf(mailbox.customerId))
      for (const state of inboxFirst(changed)) if (!(await folderSync.sync(run, receiving, source, state))) return false
    }
    for (const [path, folder] of known) if (!source.isThere(path)) await folderSync.remove(run, folder)
    await health.succeeded(mailbox)
    return true
  }

  /** @returns in how many milliseconds the mailbox is to be received again; null when it is not active any more */
  const session = async (run: Run<unknown>, mailbox: Mailbox, source: MailboxSource): Promise<number | null> => {
    const openedAt = Date.now()
    for (;;) {
      const begunAt = Date.now()
      const woken = wakes.next(mailbox.id)
      if (!(await syncAll(run, mailbox, source))) return 0
      if (!source.canWait) return intervalMs
      const stopped = AbortSignal.any([woken, run.signal])
      const isConnected = await source.wait(intervalMs, stopped)
      // A server may report a change in response to each command.
      await pause(Math.max(0, begunAt + roundMs - Date.now()), undefined, { signal: stopped }).catch(() => undefined)
      run.signal.throwIfAborted()
      const lastedMs = Date.now() - openedAt
      // Servers close idle connections, for example when they restart. A server that closes each one at once does not work.
      if (!isConnected && lastedMs < intervalMs) throw new MailConnectionError('connect')
      const now = await toReceive(mailbox.customerId, mailbox.id)
      if (!now) return null
      if (!isConnected || lastedMs > sessionMs || !isDeepStrictEqual(now, mailbox)) return 0
    }
  }

  return {
    async run(run, customerId, id) {
      const again = (delayMs: number | null) =>
        run.finish(async (tx) => void (delayMs !== null && (await enqueueSync(tx as RawTransaction, customerId, id, delayMs))))
      let mailbox: Mailbox | null = null
      let source: MailboxSource | undefined
      try {
        mailbox = await toReceive(customerId, id)
        if (!mailbox) return
        source = await open(mailbox)
        await again(await session(run, mailbox, source))
      } catch (error) {
        if (!(error instanceof MailConnectionError) || run.signal.aborted) throw error
        if (mailbox && error.failed === 'auth') await mailboxes.refused(mailbox)
        await again(await health.failed({ customerId, id }, error.failed))
      } finally {
        wakes.forget(id)
        await source?.close()
      }
    },
  }
}

/** The inbox goes first, because users wait for its messages. */
const inboxFirst = <T extends { readonly specialUse: string | null }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => Number(other.specialUse === 'inbox') - Number(one.specialUse === 'inbox'))
