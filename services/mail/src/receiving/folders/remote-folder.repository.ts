import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db, Tx } from '../../database.js'
import type { Mailbox } from '../../mail-connections/mailbox-access.js'
import { pauseAfter } from '../mailboxes/back-off.js'
import type { FolderState } from '../sources/mailbox-source.js'
import { type KnownFolder, type KnownUidls, pop3Path, type RemoteFolder } from './remote-folder.js'

interface OfMailbox {
  readonly id: Id
  readonly customerId: Id
}

/** A mailbox with the properties that identify its account on the server. */
type Account = OfMailbox & Pick<Mailbox, 'serverProtocol' | 'serverAddress' | 'userLogin'>

export interface Failure {
  readonly uid: bigint
  /** The unique id of POP3. */
  readonly uidl: string | null
  /** The step that failed; for operators, without anything of the message. */
  readonly error: 'fetch' | 'store'
}

/** The cost of `isWaiting` depends on the number of waiting flags and failures, not of messages: waiting flags have a partial index. */
const foldersOf = prepared(
  (param: ParamOf<OfMailbox>) => sql<KnownFolder>`
    SELECT id, customer_id AS "customerId", path, special_use AS "specialUse", uid_validity AS "uidValidity", epoch, last_uid AS "lastUid",
      uid_next AS "uidNext", highest_modseq AS "highestModseq", compared_at AS "comparedAt",
      EXISTS (SELECT FROM message_locations AS place
        WHERE place.remote_folder_id = folder.id AND place.epoch = folder.epoch AND place.seen_to_set IS NOT NULL)
      OR EXISTS (SELECT FROM ingest_failures AS failure
        WHERE failure.remote_folder_id = folder.id AND failure.epoch = folder.epoch AND failure.next_try <= ${param(() => new Date())}::timestamptz) AS "isWaiting"
    FROM remote_folders AS folder
    WHERE mail_server_id = ${param(({ id }) => id)} AND customer_id = ${param(({ customerId }) => customerId)}`,
)

const at = (folder: RemoteFolder) => ({ customerId: folder.customerId, remoteFolderId: folder.id, epoch: folder.epoch })

/** The folders of mailboxes with their cursors. */
export const remoteFolderRepository = (db: Db) => {
  const known = async (mailbox: OfMailbox): Promise<ReadonlyMap<string, KnownFolder>> => {
    const folders = await db.query(office(mailbox.customerId), foldersOf(mailbox))
    return new Map(folders.map((folder) => [folder.path, folder]))
  }

  return {
    /** The stored folders of a mailbox, by their paths. */
    known,

    /**
     * Inserts new folders, if the mailbox is still the account in which they were found. The row lock waits for an uncommitted change of the account;
     * a later change waits for it, and then deletes the folders (`deleteFolders`).
     * @returns false where the account has changed
     */
    begin: ({ id: mailServerId, customerId, ...account }: Account, states: readonly FolderState[]): Promise<boolean> =>
      db.write(office(customerId), async (tx) => {
        const same = await tx.$queryRaw<object[]>`
          SELECT id FROM mail_servers WHERE id = ${mailServerId} AND customer_id = ${customerId} AND server_protocol = ${account.serverProtocol}
            AND server_address = ${account.serverAddress} AND user_login = ${account.userLogin} FOR SHARE`
        if (same.length === 0) return false
        const data = states.map(({ path, specialUse, uidValidity }) => ({ customerId, mailServerId, path, specialUse, uidValidity }))
        await tx.remoteFolder.createMany({ data, skipDuplicates: true })
        return true
      }),

    /** The stored folder, with its special use updated; null where it was deleted. */
    async of({ id: mailServerId, customerId }: OfMailbox, { path, specialUse }: FolderState): Promise<RemoteFolder | null> {
      const where = { customerId, mailServerId, path }
      const [folder] = await db.write(office(customerId), (tx) => tx.remoteFolder.updateManyAndReturn({ where, data: { specialUse } }))
      return folder ?? null
    },

    /** Begins a new epoch, because the server has renumbered the messages: places and failures of the old one are deleted, messages stay. */
    async beginEpoch(tx: Tx, folder: RemoteFolder, { uidValidity }: FolderState): Promise<RemoteFolder> {
      const { id, customerId, epoch: before } = folder
      await tx.messageLocation.deleteMany({ where: at(folder) })
      await tx.ingestFailure.deleteMany({ where: at(folder) })
      const fresh = { epoch: before + 1, uidValidity, lastUid: 0n, uidNext: null, highestModseq: null, comparedAt: null }
      await tx.remoteFolder.update({ where: { id, customerId }, data: fresh })
      return { ...folder, ...fresh }
    },

    /** Advances the cursor to a UID up to which everything is stored, discarded or recorded as failed. @param done UIDs whose earlier failures are deleted */
    async advance(tx: Tx, folder: RemoteFolder, lastUid: bigint, failed: readonly Failure[], done: readonly bigint[]): Promise<void> {
      const { id, customerId } = folder
      await tx.remoteFolder.updateMany({ where: { id, customerId, lastUid: { lt: lastUid } }, data: { lastUid } })
      await tx.ingestFailure.deleteMany({ where: { ...at(folder), uid: { in: [...done] } } })
      for (const { uid, uidl, error } of failed) {
        const key = { remoteFolderId: id, epoch: folder.epoch, uid }
        const known = await tx.ingestFailure.findFirst({ where: { ...key, customerId } })
        const tries = (known?.tries ?? 0) + 1
        const nextTry = new Date(Date.now() + pauseAfter(tries))
        if (known) await tx.ingestFailure.update({ where: { id: known.id, customerId }, data: { error, tries, nextTry } })
        else {
          const { mailServerId } = await tx.remoteFolder.findFirstOrThrow({ where: { id, customerId }, select: { mailServerId: true } })
          await tx.ingestFailure.create({ data: { ...key, customerId, mailServerId, uidl, error, tries, nextTry } })
        }
      }
    },

    /** Stores the state of the server with which the folder was synchronised. */
    async synchronised(tx: Tx, { id, customerId }: RemoteFolder, state: FolderState, wasCompared: boolean): Promise<void> {
      const { uidValidity, uidNext, highestModseq } = state
      const data = { uidValidity, uidNext, highestModseq, ...(wasCompared && { comparedAt: new Date() }) }
      await tx.remoteFolder.updateMany({ where: { id, customerId }, data })
    },

    /** The known UIDs: of stored, discarded and failed messages. */
    async knownUids(folder: RemoteFolder): Promise<bigint[]> {
      const rows = db.read(office(folder.customerId))
      const places = await rows.messageLocation.findMany({ where: at(folder), select: { uid: true } })
      const failures = await rows.ingestFailure.findMany({ where: at(folder), select: { uid: true } })
      return [...places, ...failures].map(({ uid }) => uid)
    },

    /** The UIDs that were assigned to messages of a POP3 mailbox. */
    async knownUidls({ id: mailServerId, customerId }: OfMailbox): Promise<KnownUidls> {
      const rows = db.read(office(customerId))
      const folder = await rows.remoteFolder.findFirst({ where: { customerId, mailServerId, path: pop3Path } })
      if (!folder) return { uids: new Map(), lastUid: 0n }
      const where = { customerId, remoteFolderId: folder.id, epoch: folder.epoch, uidl: { not: null } }
      const places = await rows.messageLocation.findMany({ where, select: { uid: true, uidl: true } })
      const failures = await rows.ingestFailure.findMany({ where, select: { uid: true, uidl: true } })
      return { uids: new Map([...failures, ...places].map(({ uid, uidl }) => [uidl ?? '', uid])), lastUid: folder.lastUid }
    },

    /** Those of the UIDs whose message is stored, or has failed and will be retried. */
    async storedOrFailed(folder: RemoteFolder, uids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
      const [rows, where, select] = [db.read(office(folder.customerId)), { ...at(folder), uid: { in: [...uids] } }, { uid: true }]
      const places = await rows.messageLocation.findMany({ where: { ...where, messageId: { not: null } }, select })
      const failures = await rows.ingestFailure.findMany({ where, select })
      return new Set([...places, ...failures].map(({ uid }) => uid))
    },

    /** Deletes the places of messages that are gone from the server. The messages stay. */
    async forget(tx: Tx, folder: RemoteFolder, uids: readonly bigint[]): Promise<void> {
      const where = { ...at(folder), uid: { in: [...uids] } }
      await tx.messageLocation.deleteMany({ where })
      await tx.ingestFailure.deleteMany({ where })
    },

    /** Deletes a folder that is gone from the server, with its places. */
    async remove(tx: Tx, { id, customerId }: RemoteFolder): Promise<void> {
      await tx.remoteFolder.deleteMany({ where: { id, customerId } })
    },

    /** The read flags that are to be set on the server, at most 1000. */
    async seenToSet(folder: RemoteFolder): Promise<{ uid: bigint; seen: boolean }[]> {
      const where = { ...at(folder), seenToSet: { not: null } }
      const found = await db.read(office(folder.customerId)).messageLocation.findMany({ where, take: 1000 })
      return found.map(({ uid, seenToSet }) => ({ uid, seen: seenToSet ?? false }))
    },

    /** Records that the server has the flags of `seenToSet`. A flag that was changed back here meanwhile is to be set again. */
    async seenSet(tx: Tx, folder: RemoteFolder, uids: readonly bigint[], seen: boolean): Promise<void> {
      const where = { ...at(folder), uid: { in: [...uids] } }
      await tx.messageLocation.updateMany({ where: { ...where, seenToSet: null }, data: { seen, seenToSet: !seen } })
      await tx.messageLocation.updateMany({ where: { ...where, seenToSet: seen }, data: { seen, seenToSet: null } })
    },

    async failuresDue(folder: RemoteFolder): Promise<bigint[]> {
      const where = { ...at(folder), nextTry: { lte: new Date() } }
      const found = await db.read(office(folder.customerId)).ingestFailure.findMany({ where, take: 100, orderBy: { uid: 'asc' } })
      return found.map(({ uid }) => uid)
    },
  }
}

export type RemoteFolderRepository = ReturnType<typeof remoteFolderRepository>
