import type { Employee, Id } from '@caseway/kit/caller'
import { platform, type References, resourceReads, type Scoped, violates } from '@caseway/kit/database'
import { type AppError, conflict, forbidden } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { type Interval, longestTimerHours } from './interval.js'
import { type NewTimer, type WorkTime, type WorkTimeChanges, workTimeResource } from './work-time.resource.js'

/** The maximum time of a timer, as an interval of PostgreSQL. */
export const longest = `${longestTimerHours} hours`

const overlap = () => conflict('WORK_TIME_OVERLAP', 'The work time overlaps with another one of the same person.')
const timerRunning = () => conflict('TIMER_RUNNING', 'A timer is running. Stop it first.')
const noTimer = () => conflict('TIMER_NOT_RUNNING', 'No timer is running.')

/** Counts changed work times for the reports, in the transaction of the change. */
export type CountDays = (scope: Scoped, ids: readonly Id[]) => Promise<void>

export const workTimeRepository = (db: Db, named: References<'issue_id'>, countDays: CountDays) => {
  const reads = resourceReads(db, workTimeResource)

  /**
   * Serialises what one person writes: the exclusion constraint inserts a row before it looks for others, so concurrent ones that overlap wait for each
   * other, which PostgreSQL ends only as a deadlock.
   */
  const inTurn = <T>(caller: Employee, work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.write(caller, async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('work_times', ${caller.userId}))`
      return work(tx)
    })
  /** Runs a transaction in which the exclusion constraint refuses overlapping intervals of a person; `refusal` makes the error. */
  const write = async <T>(caller: Employee, refusal: () => AppError | Promise<AppError>, work: (tx: Tx) => Promise<T>): Promise<T> => {
    try {
      return await inTurn(caller, work)
    } catch (error) {
      throw violates(error, 'work_times_no_overlap') ? await refusal() : error
    }
  }
  /** The error of a timer that cannot start: another one runs, or an interval that was entered by a client with a fast clock ends in the future. */
  const startRefusal = (caller: Employee) => async () => {
    const { customerId, userId } = caller
    const running = await db.read(caller).workTime.findFirst({ where: { customerId, userId, ended: null } })
    return running ? timerRunning() : overlap()
  }
  const insert = async (tx: Tx, caller: Employee, { issueId = null, kind = 'work' }: NewTimer, interval?: Interval) => {
    await named.keep(tx, caller, { issueId })
    // Timers use the clock of the database, so that those of one person do not overlap whichever copies of the service start and stop them. Times are
    // whole seconds, as the API shows them: a record that is sent back unchanged changes nothing.
    const [row] = await tx.$queryRaw<{ id: Id }[]>`
      INSERT INTO work_times (customer_id, user_id, issue_id, kind, started, ended)
      VALUES (${caller.customerId}, ${caller.userId}, ${issueId}, ${kind}, coalesce(${interval?.started}::timestamptz, date_trunc('second', now())), ${interval?.ended}::timestamptz)
      RETURNING id`
    const { id } = row as { id: Id }
    if (interval) await countDays(caller, [id])
    return id
  }
  /** Everybody in the office reads work times; each person changes their own. */
  const requireOwn = (caller: Employee, workTime: WorkTime): WorkTime => {
    if (workTime.userId !== caller.userId) throw forbidden()
    return workTime
  }
  const lockOwn = async (tx: Tx, caller: Employee, id: Id, expected?: number) =>
    requireOwn(caller, await reads.lock(tx, caller, id, expected))

  return {
    ...reads,
    fieldErrors: named.fieldErrors,

    create: (caller: Employee, workTime: NewTimer & Interval): Promise<Id> =>
      write(caller, overlap, (tx) => insert(tx, caller, workTime, workTime)),

    start: (caller: Employee, timer: NewTimer): Promise<Id> => write(caller, startRefusal(caller), (tx) => insert(tx, caller, timer)),

    /**
     * Ends the caller's timer. One beyond the maximum time that the job has not processed yet ends as the job would end it.
     * @throws AppError `conflict` if no timer runs
     */
    stop: (caller: Employee): Promise<void> =>
      inTurn(caller, async (tx) => {
        const [stopped] = await tx.$queryRaw<{ id: Id }[]>`
          UPDATE work_times SET ended = least(date_trunc('second', now()), started + ${longest}::interval), forgotten = started <= now() - ${longest}::interval
          WHERE customer_id = ${caller.customerId} AND user_id = ${caller.userId} AND ended IS NULL RETURNING id`
        if (!stopped) throw noTimer()
        await countDays(caller, [stopped.id])
      }),

    /**
     * Locks the case before the work time, in the same order as the deletion of a case, which clears the references of work times. An unchanged case needs
     * no lock: its deletion waits for the work time.
     */
    change: (
      caller: Employee,
      id: Id,
      changes: WorkTimeChanges,
      decide: (before: WorkTime) => WorkTime,
      expected?: number,
    ): Promise<void> =>
      write(caller, overlap, async (tx) => {
        requireOwn(caller, await reads.get(caller, id))
        await named.keep(tx, caller, changes)
        const { issueId, kind, started, ended } = decide(await lockOwn(tx, caller, id, expected))
        await tx.$executeRaw`
          UPDATE work_times SET issue_id = ${issueId}, kind = ${kind}, started = ${started}, ended = ${ended},
            forgotten = forgotten AND ended = ${ended}
          WHERE id = ${id} AND customer_id = ${caller.customerId}`
        await countDays(caller, [id])
      }),

    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        await lockOwn(tx, caller, id, expected)
        await tx.workTime.delete({ where: { id, customerId: caller.customerId } })
      }),

    /** Ends and marks all timers, over all offices, that have run for the maximum time. @returns how many */
    stopForgotten: (): Promise<number> =>
      db.write(platform, async (tx) => {
        const stopped = await tx.$queryRaw<{ id: Id }[]>`
          UPDATE work_times SET ended = started + ${longest}::interval, forgotten = true
          WHERE ended IS NULL AND started <= now() - ${longest}::interval RETURNING id`
        await countDays(
          platform,
          stopped.map(({ id }) => id),
        )
        return stopped.length
      }),
  }
}

export type WorkTimeRepository = ReturnType<typeof workTimeRepository>
