import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { type ParamOf, type QueryOf, sql, visibleReads } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { backfillInProgress, commandEnded, couldNotEnqueue } from '../errors.js'
import type { MailQueue } from '../mail-connections/mail-queue.js'
import type { Backfill } from './mail-command.js'
import { mailCommandResource } from './mail-command.resource.js'

/** A backfill to store, with its first month and the number of its months. */
export interface NewBackfill extends Backfill {
  readonly mailServerId: Id
  readonly dryRun: boolean
  /** The first day of the month that is fetched first. */
  readonly nextMonth: string
  readonly tasksTotal: number
}

/** @returns those of the mailboxes that the office has, locked against deletion until the transaction ends */
export type KeepMailboxes = (tx: object, caller: Employee, ids: readonly Id[]) => Promise<readonly unknown[]>

/** SQL: a command is visible to whoever gave it, and to the owner of the mailbox. */
const visible = (param: ParamOf<QueryOf<Employee>>) => sql<boolean>`(
  user_id = ${param(({ owner }) => owner.userId)}
  OR mail_server_id IN (
    SELECT server.id FROM mail_servers AS server
    WHERE server.customer_id = ${param(({ owner }) => owner.customerId)} AND server.user_id = ${param(({ owner }) => owner.userId)}))`

export const mailCommandRepository = (db: Db, queue: MailQueue, keepMailboxes: KeepMailboxes) => {
  const reads = visibleReads<typeof mailCommandResource, Employee>(db, mailCommandResource, visible)
  const audit = (tx: Tx, kind: string, id: Id, details = {}) =>
    publishAudit(tx, { kind: `mail_command.${kind}`, subject: { kind: 'mail_command', id }, details })

  /**
   * Runs `work` with the mailbox locked first, as changes of the mailbox lock it before they enqueue its jobs.
   * @throws AppError `not-found` where it was deleted meanwhile
   */
  const give = (caller: Employee, mailServerId: Id, work: (tx: Tx) => Promise<Id>): Promise<Id> =>
    db.write(caller, async (tx) => {
      if ((await keepMailboxes(tx, caller, [mailServerId])).length === 0) throw notFound()
      return work(tx)
    })

  /** Stores a command that is done as soon as it is given. */
  const done = async (tx: Tx, { customerId, userId }: Employee, commandId: number, mailServerId: Id): Promise<Id> => {
    const data = { customerId, userId, commandId, mailServerId, status: 'done', ended: new Date() }
    return (await tx.mailCommand.create({ data })).id
  }

  return {
    ...reads,

    /** Enqueues a fetch of new messages. */
    receive: (caller: Employee, commandId: number, mailServerId: Id): Promise<Id> =>
      give(caller, mailServerId, async (tx) => {
        await queue.receive(tx, caller.customerId, mailServerId)
        return done(tx, caller, commandId, mailServerId)
      }),

    /** Enqueues the sending of waiting messages. */
    send: (caller: Employee, commandId: number, mailServerId: Id): Promise<Id> =>
      give(caller, mailServerId, async (tx) => {
        await queue.sendNow(tx, caller.customerId, mailServerId)
        return done(tx, caller, commandId, mailServerId)
      }),

    /**
     * Stores the command and enqueues its first month. A unique index admits one running backfill for each mailbox and folder.
     * @throws AppError BACKFILL_IN_PROGRESS
     */
    backfill: (caller: Employee, commandId: number, command: NewBackfill): Promise<Id> =>
      give(caller, command.mailServerId, async (tx) => {
        const { customerId, userId } = caller
        const { mailServerId, folderName, fetchAfterDate, dryRun, nextMonth, tasksTotal } = command
        const [created] = await tx.$queryRaw<{ id: Id }[]>`
          INSERT INTO mail_commands (customer_id, user_id, command_id, mail_server_id, folder_name, fetch_after_date, dry_run, next_month, tasks_total)
          VALUES (${customerId}, ${userId}, ${commandId}, ${mailServerId}, ${folderName}, ${fetchAfterDate}::date, ${dryRun}, ${nextMonth}::date, ${tasksTotal})
          ON CONFLICT (mail_server_id, folder_name) WHERE command_id = 4 AND status = 'in_progress' DO NOTHING
          RETURNING id`
        if (!created) throw backfillInProgress()
        const { id } = created
        await queue.backfill(tx, { customerId, mailServerId, id }).catch((error: unknown) => {
          throw couldNotEnqueue(error)
        })
        await audit(tx, 'backfill_started', id, { folder: folderName })
        return id
      }),

    /** Cancels a running backfill; messages that it has stored stay. @throws AppError COMMAND_ENDED */
    cancel: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { status } = await reads.lock(tx, caller, id, expected)
        if (status !== 'in_progress') throw commandEnded()
        const where = { id, customerId: caller.customerId }
        await tx.mailCommand.update({ where, data: { status: 'cancelled', ended: new Date(), waitsUntil: null } })
        await audit(tx, 'cancelled', id)
      }),
  }
}

export type MailCommandRepository = ReturnType<typeof mailCommandRepository>
