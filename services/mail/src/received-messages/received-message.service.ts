import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, noSuchRecord } from '@caseway/kit/errors'
import type { ListQuery } from '@caseway/kit/resource'
import { messageNotInTrash } from '../errors.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import type { MailReader, MailReaders } from './mail-reader.js'
import { folderBefore, isPersonal, wantedFolder } from './received-message.js'
import type { Begin, ReceivedMessageRepository } from './received-message.repository.js'
import type { ListedMessage, listedMessageResource, ReceivedMessageChanges } from './received-message.resource.js'
import { isOfficeFolder, systemFolder, type TargetFolder } from './target-folder.js'

/** A custom folder; `userId` is null where it belongs to the office. */
interface CustomFolder {
  readonly id: Id
  readonly userId: Id | null
  readonly systemName: string | null
}

/** @returns those of the folders that the caller sees, locked against deletion until the transaction ends */
export type KeepFolders = (tx: object, caller: Employee, ids: readonly Id[]) => Promise<readonly CustomFolder[]>

export interface ReceivedMessageParts {
  readonly messages: ReceivedMessageRepository
  readonly readerOf: MailReaders
  readonly keepFolders: KeepFolders
  readonly cases: Pick<LinkedCases, 'isSeen'>
}

const areOwn = ({ userId }: Employee, messages: readonly ListedMessage[]) => messages.every((message) => message.userId === userId)

/** A personal folder takes only messages of its owner's mailboxes: others would vanish from everybody who sees them now. */
const notOwn = (field: string) => invalid({ [field]: 'is a folder of one person, for messages of their own mailboxes' })

/** Whoever asks for a personal folder sees their own messages in it, which an index finds; it would not find them among those of all colleagues. */
const ownOf = ({ userId }: Employee, { filters, ...query }: ListQuery<typeof listedMessageResource>) => {
  const { folderName } = filters
  return { ...query, filters: folderName && isPersonal(folderName) ? { userId, ...filters } : filters }
}

export const receivedMessageService = ({ messages, readerOf, keepFolders, cases }: ReceivedMessageParts) => {
  /** @param present the custom folder; undefined where the reader sees none */
  const mustFit = (reader: MailReader, { system }: TargetFolder, present: CustomFolder | undefined, moved: readonly ListedMessage[]) => {
    if (system !== null) {
      if (isOfficeFolder(system) ? !reader.officeFolders.includes(system) : !reader.personal) throw forbidden()
      if (isPersonal(system) && !areOwn(reader, moved)) throw notOwn('folder_name')
      return
    }
    if (!reader.personal) throw forbidden()
    if (present?.systemName !== null) throw noSuchRecord('mail_folder_id')
    if (present.userId !== null && !areOwn(reader, moved)) throw notOwn('mail_folder_id')
  }

  const decided = (reader: MailReader, { isRead, tags, issueId, ...changes }: ReceivedMessageChanges): Begin => {
    const folder = wantedFolder(changes)
    if (folder === 'both') throw invalid({ mail_folder_id: 'must not be sent beside folder_name' })
    return async (tx) => {
      const [present] = folder?.custom ? await keepFolders(tx, reader, [folder.custom]) : []
      return (moved) => {
        if (folder) mustFit(reader, folder, present, moved)
        return { isRead, tags, issueId, folder }
      }
    }
  }

  const mustBeSeen = async (caller: Employee, { issueId }: ReceivedMessageChanges) => {
    if (issueId != null && !(await cases.isSeen(caller, issueId))) throw noSuchRecord('issue_id')
  }

  return {
    list: async (caller: Employee, query: ListQuery<typeof listedMessageResource>) =>
      messages.list(await readerOf(caller), ownOf(caller, query)),
    get: async (caller: Employee, id: Id) => messages.get(await readerOf(caller), id),

    /** The messages that the caller sees, and the ids of those that the caller has lost recently. */
    async some(caller: Employee, ids: readonly Id[]) {
      const reader = await readerOf(caller)
      const found = await messages.some(reader, ids)
      const shown = new Set(found.map(({ id }) => id))
      const missing = ids.filter((id) => !shown.has(id))
      return { found, gone: await messages.gone(reader, missing) }
    },

    async change(caller: Employee, id: Id, changes: ReceivedMessageChanges, expected?: number): Promise<void> {
      const reader = await readerOf(caller)
      if (changes.issueId != null) await messages.get(reader, id)
      await mustBeSeen(caller, changes)
      await messages.change(reader, [id], decided(reader, changes), { expected })
    },

    /** Changes all of the messages, or none where the caller does not see one of them. */
    async changeSome(caller: Employee, ids: readonly Id[], changes: ReceivedMessageChanges): Promise<void> {
      const reader = await readerOf(caller)
      await mustBeSeen(caller, changes)
      await messages.change(reader, [...new Set(ids)], decided(reader, changes), { missing: () => noSuchRecord('ids') })
    },

    remove: async (caller: Employee, id: Id, expected?: number) => messages.remove(await readerOf(caller), id, expected),

    /** Moves a message from TRASH back to its folder; to OTHERS where that was deleted. @throws AppError MAIL_MESSAGE_NOT_IN_TRASH */
    async restore(caller: Employee, id: Id): Promise<void> {
      const reader = await readerOf(caller)
      await messages.change(reader, [id], (tx) => async ([message]) => {
        if (message?.folderName !== 'TRASH') throw messageNotInTrash()
        const before = folderBefore(await messages.before(reader, id))
        const present = before.custom === null || (await keepFolders(tx, reader, [before.custom])).length > 0
        return { folder: present ? before : systemFolder('OTHERS') }
      })
    },

    /** The trace of a message, the oldest entry first. */
    async traces(caller: Employee, id: Id) {
      return messages.traces(await messages.get(await readerOf(caller), id))
    },

    /** A message that the caller sees, with the key of its bytes. @throws AppError `not-found` */
    async bytes(caller: Employee, id: Id) {
      const message = await messages.get(await readerOf(caller), id)
      return { message, blobKey: await messages.blobKey(message) }
    },
  }
}

export type ReceivedMessageService = ReturnType<typeof receivedMessageService>
