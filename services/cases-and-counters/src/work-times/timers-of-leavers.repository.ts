import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type CountDays, longest } from './work-time.repository.js'

/** Ends the running timers of deactivated people. One beyond the maximum time that the job has not processed yet ends as the job would end it. */
export const endTimersOf =
  (db: Db, countDays: CountDays) =>
  (_tx: object, userIds: readonly Id[]): Promise<void> =>
    db.write(platform, async (tx) => {
      const ended = await tx.$queryRaw<{ id: Id }[]>`
        UPDATE work_times SET ended = least(date_trunc('second', now()), started + ${longest}::interval), forgotten = started <= now() - ${longest}::interval
        WHERE user_id = ANY (${userIds}) AND ended IS NULL RETURNING id`
      await countDays(
        platform,
        ended.map(({ id }) => id),
      )
    })
