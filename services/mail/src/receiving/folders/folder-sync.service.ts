import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../../database.js'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import type { Intake, ReceivingMailbox } from '../../received-messages/arrivals/arrived-message.js'
import type { MessageFetch } from '../messages/message-fetch.service.js'
import type { FolderState, MailboxSource, SelectedFolder } from '../sources/mailbox-source.js'
import type { FolderAtWork } from './folder-at-work.js'
import { isCompareDue, isNewEpoch, type RemoteFolder } from './remote-folder.js'
import type { RemoteFolderRepository } from './remote-folder.repository.js'

export interface FolderSyncParts {
  readonly folders: RemoteFolderRepository
  readonly intake: Pick<Intake, 'seen' | 'draftsVanished'>
  readonly fetch: MessageFetch
}

/** The number of messages whose headers are fetched, or whose flags are written, together. */
const atOnce = 200

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce))

/** The state of a folder that was selected after its state was reported. Where it was renumbered meanwhile, no more is known of it. */
const stateNow = (reported: FolderState, { uidValidity = reported.uidValidity }: SelectedFolder): FolderState =>
  uidValidity === reported.uidValidity ? reported : { ...reported, uidValidity, uidNext: null, highestModseq: null }

/** Synchronises a folder of a server with its copy here. */
export function folderSync({ folders, intake, fetch }: FolderSyncParts) {
  async function* lightOf({ source }: FolderAtWork, uids: readonly bigint[]) {
    for (const chunk of chunksOf(uids)) yield await source.light(chunk)
  }
  const fetchAll = (work: FolderAtWork, uids: readonly bigint[]) => fetch.fetch(work, lightOf(work, uids))

  /** Writes read flags that were changed here to the server. What the server refuses stays to be written, and is tried again by the next run. */
  const writeFlags = async ({ run, source, folder }: FolderAtWork) => {
    const toSet = await folders.seenToSet(folder)
    for (const seen of [true, false]) {
      const uids = toSet.flatMap((one) => (one.seen === seen ? one.uid : []))
      for (const chunk of chunksOf(uids)) {
        if (!(await source.setSeen(chunk, seen))) break
        await run.checkpoint(null, (tx) => folders.seenSet(tx as Tx, folder, chunk, seen))
      }
    }
  }

  /** Applies read flags that were changed on the server. */
  const readFlags = async ({ run, mailbox, source, folder }: FolderAtWork, since: bigint | null) => {
    const { id: remoteFolderId, epoch, specialUse } = folder
    const changed = (await source.seenSince(since)).filter(({ uid }) => uid <= folder.lastUid)
    for (const chunk of chunksOf(changed)) {
      const places = chunk.map(({ uid, seen }) => ({ place: { remoteFolderId, epoch, uid, specialUse }, seen }))
      await run.checkpoint(null, (tx) => intake.seen(tx as Tx, mailbox, places))
    }
  }

  /** Forgets the places of messages. @param uids those of messages that are gone from the server; null for the whole folder */
  const forget = (run: Run<unknown>, folder: RemoteFolder, uids: readonly bigint[] | null) =>
    run.checkpoint(null, (plain) => {
      const tx = plain as Tx
      const forgetPlaces = () => (uids === null ? folders.remove(tx, folder) : folders.forget(tx, folder, uids))
      const { id: remoteFolderId, customerId, epoch, specialUse } = folder
      return specialUse === 'drafts' ? intake.draftsVanished(tx, customerId, { remoteFolderId, epoch, uids }, forgetPlaces) : forgetPlaces()
    })

  /** Compares all UIDs: forgets the places of messages that were moved or deleted, and fetches messages that were never seen. */
  const compare = async (work: FolderAtWork) => {
    const { run, source, folder } = work
    const [there, here] = [new Set(await source.uids(0n)), new Set(await folders.knownUids(folder))]
    for (const chunk of chunksOf([...here].filter((uid) => !there.has(uid)))) await forget(run, folder, chunk)
    await fetchAll(
      work,
      [...there].filter((uid) => !here.has(uid)).sort((one, other) => Number(one - other)),
    )
  }

  const retry = async (work: FolderAtWork) => {
    const due = await folders.failuresDue(work.folder)
    await fetchAll(work, due)
  }

  const current = async (run: Run<unknown>, mailbox: ReceivingMailbox, state: FolderState): Promise<RemoteFolder | null> => {
    const folder = await folders.of(mailbox, state)
    if (!folder || !isNewEpoch(folder, state)) return folder
    return run.checkpoint(null, (tx) => folders.beginEpoch(tx as Tx, folder, state))
  }

  return {
    /** Removes a folder that is gone from the server. Its messages stay. */
    remove: (run: Run<unknown>, folder: RemoteFolder): Promise<void> => forget(run, folder, null),

    /**
     * Synchronises a folder.
     * @param reported the state that the server reported before the run: what arrives meanwhile is found by the next run
     * @returns false where the folder was deleted here, because the mailbox has changed
     */
    async sync(run: Run<unknown>, mailbox: ReceivingMailbox, source: MailboxSource, reported: FolderState): Promise<boolean> {
      const selected = await source.select(reported.path)
      // The next run tries it again. A mailbox without its inbox is not received.
      if (!selected) {
        if (reported.specialUse === 'inbox') throw new MailConnectionError('protocol')
        return true
      }
      const state = stateNow(reported, selected)
      const folder = await current(run, mailbox, state)
      if (!folder) return false
      const work = { run, mailbox, source, folder }
      await writeFlags(work)
      if (state.uidNext === null || state.uidNext > folder.lastUid + 1n) await fetchAll(work, await source.uids(folder.lastUid))
      await retry(work)
      // A server without QRESYNC does not report deletions, and one without CONDSTORE does not report changes of flags. A mail client saves a draft
      // anew and removes the old one: then the folder has both a new message and one less.
      const isCompared =
        isCompareDue(folder) || (state.uidNext !== null && folder.uidNext === state.uidNext) || folder.specialUse === 'drafts'
      const isFirst = folder.highestModseq === null && folder.lastUid === 0n
      const mayHaveFlags = state.highestModseq === null ? isCompareDue(folder) : folder.highestModseq !== state.highestModseq
      if (!isFirst && mayHaveFlags) await readFlags(work, folder.highestModseq)
      if (isCompared) await compare(work)
      await run.checkpoint(null, (tx) => folders.synchronised(tx as Tx, folder, state, isCompared))
      return true
    },
  }
}

export type FolderSync = ReturnType<typeof folderSync>
