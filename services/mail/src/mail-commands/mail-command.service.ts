import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, notFound } from '@caseway/kit/errors'
import type { HasRight } from '@caseway/kit/http'
import { mailboxCannot } from '../errors.js'
import { receives } from '../mail-connections/mailbox-access.js'
import type { MailServerService } from '../mail-servers/mail-server.service.js'
import { type Backfill, commandIds, monthsOf, rightOfFolder } from './mail-command.js'
import type { MailCommandRepository } from './mail-command.repository.js'

export interface MailCommandParts {
  readonly rows: MailCommandRepository
  readonly mailboxes: Pick<MailServerService, 'find'>
  readonly hasRight: HasRight
}

export type NewMailCommand =
  | { readonly commandId: typeof commandIds.receive | typeof commandIds.send; readonly mailServerId: Id }
  | {
      readonly commandId: typeof commandIds.backfill
      readonly mailServerId: Id
      readonly backfill: Backfill
      readonly dryRun: boolean
      /** YYYY-MM-DD in the time zone of the office. */
      readonly today: string
    }

/** The commands that users give to mailboxes. */
export const mailCommandService = ({ rows, mailboxes, hasRight }: MailCommandParts) => {
  const { list, get, cancel } = rows

  return {
    ...{ list, get, remove: cancel },

    /**
     * Gives a command to any mailbox of the office: what it stores is visible to those who see its folder. The checks run in the order of the
     * specification: 400 by the body, 404, 403, 409.
     */
    async create(caller: Employee, command: NewMailCommand): Promise<Id> {
      const { commandId, mailServerId } = command
      const mailbox = await mailboxes.find(caller, mailServerId)
      if (!mailbox) throw notFound()
      if (commandId === commandIds.backfill && !(await hasRight(caller, rightOfFolder[command.backfill.folderName]))) throw forbidden()
      if (receives(mailbox.serverProtocol) === (commandId === commandIds.send))
        throw mailboxCannot(commandId === commandIds.send ? 'send' : 'receive')
      switch (commandId) {
        case commandIds.receive:
          return rows.receive(caller, commandId, mailServerId)
        case commandIds.send:
          return rows.send(caller, commandId, mailServerId)
        case commandIds.backfill: {
          const { newest: nextMonth, count: tasksTotal } = monthsOf(command.backfill.fetchAfterDate, command.today)
          return rows.backfill(caller, commandId, { ...command.backfill, mailServerId, dryRun: command.dryRun, nextMonth, tasksTotal })
        }
      }
    },
  }
}

export type MailCommandService = ReturnType<typeof mailCommandService>
