import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { Db, Tx } from '../../database.js'
import type { SystemFolder } from '../../received-messages/target-folder.js'
import type { Counted, RunningBackfill } from './backfill.js'

/** The progress of backfills. Nothing is changed in one that was cancelled meanwhile. */
export const backfillRepository = (db: Db) => {
  const running = (row: { id: Id; customerId: Id }) => ({ id: row.id, customerId: row.customerId, status: 'in_progress' })

  return {
    /** Null where it has ended, or was cancelled. */
    async find(customerId: Id, id: Id): Promise<RunningBackfill | null> {
      const row = await db.read(office(customerId)).mailCommand.findFirst({ where: running({ id, customerId }) })
      if (!row?.nextMonth || !row.fetchAfterDate) return null
      const { mailServerId, folderName, fetchAfterDate: from, dryRun, nextMonth: month } = row
      return { id, customerId, mailServerId, folder: folderName as SystemFolder, from, dryRun, month }
    },

    async count(tx: Tx, backfill: RunningBackfill, { stored, duplicates, discarded, errors, bytes }: Counted): Promise<void> {
      const by = (increment: number) => ({ increment })
      const data = { stored: by(stored), duplicates: by(duplicates), discarded: by(discarded), errors: by(errors) }
      await tx.mailCommand.updateMany({ where: running(backfill), data })
      const { id, customerId } = backfill
      // Counted for a cancelled backfill as well, because the bytes were fetched.
      await tx.$executeRaw`
        UPDATE mail_commands SET
          bytes_on_day = ${bytes}::bigint + CASE WHEN bytes_day = current_date THEN bytes_on_day ELSE 0 END, bytes_day = current_date
        WHERE id = ${id} AND customer_id = ${customerId}`
    },

    /** The bytes that all backfills of the mailbox have fetched today (UTC). */
    async bytesToday({ customerId, mailServerId }: RunningBackfill): Promise<number> {
      const [found] = await db.write(
        office(customerId),
        (tx) => tx.$queryRaw<{ bytes: number }[]>`
          SELECT coalesce(sum(bytes_on_day), 0)::float8 AS bytes FROM mail_commands
          WHERE customer_id = ${customerId} AND mail_server_id = ${mailServerId} AND bytes_day = current_date`,
      )
      return found?.bytes ?? 0
    },

    /** Pauses the backfill until the next day (UTC) by the clock of the database, which counts its bytes. @returns when that begins; null where it has ended */
    async wait(tx: Tx, backfill: RunningBackfill): Promise<Date | null> {
      const { id, customerId, status } = running(backfill)
      const [waiting] = await tx.$queryRaw<{ until: Date }[]>`
        UPDATE mail_commands SET waits_until = date_trunc('day', now(), 'UTC') + interval '1 day'
        WHERE id = ${id} AND customer_id = ${customerId} AND status = ${status} RETURNING waits_until AS until`
      return waiting?.until ?? null
    },

    async goOn(tx: Tx, backfill: RunningBackfill): Promise<void> {
      await tx.mailCommand.updateMany({ where: running(backfill), data: { waitsUntil: null } })
    },

    /** Adds to the numbers of messages that would be stored, by folder. @param folders the folder of each message */
    async countDry(tx: Tx, { id, customerId }: RunningBackfill, folders: readonly string[]): Promise<void> {
      const { counts } = await tx.mailCommand.findFirstOrThrow({ where: { id, customerId }, select: { counts: true } })
      const sums: Record<string, number> = { ...(counts as Record<string, number> | null) }
      for (const folder of folders) sums[folder] = (sums[folder] ?? 0) + 1
      await tx.mailCommand.updateMany({ where: { id, customerId }, data: { counts: sums } })
    },

    /** Ends the backfill as failed: its mailbox was deleted, is not active, or does not receive. */
    async failed(tx: Tx, backfill: RunningBackfill): Promise<void> {
      await tx.mailCommand.updateMany({ where: running(backfill), data: { status: 'failed', ended: new Date(), nextMonth: null } })
    },

    /** Ends the month, and with the last month the backfill. @param isLast whether no older month has a message */
    async monthDone(tx: Tx, backfill: RunningBackfill, isLast: boolean): Promise<void> {
      const { month, id, customerId } = backfill
      const { tasksDone, tasksTotal } = await tx.mailCommand.findFirstOrThrow({ where: { id, customerId } })
      const done = isLast ? tasksTotal : tasksDone + 1
      const previous = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 1))
      const ended = done >= tasksTotal ? { status: 'done', ended: new Date(), nextMonth: null } : { nextMonth: previous }
      await tx.mailCommand.updateMany({ where: running(backfill), data: { tasksDone: done, ...ended } })
    },
  }
}

export type BackfillRepository = ReturnType<typeof backfillRepository>
