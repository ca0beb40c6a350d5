import type { Employee, Id } from '@caseway/kit/caller'
import { type References, resourceReads } from '@caseway/kit/database'
import { isAlready } from '@caseway/kit/resource'
import type { Db } from '../database.js'
import { pollAnswered, pollClosed } from '../errors.js'
import { type NewPoll, type PollChanges, pollResource } from './poll.resource.js'

export const pollRepository = (db: Db, named: References<'chat_widget_id'>) => {
  const reads = resourceReads(db, pollResource)
  return {
    ...reads,

    async fieldErrors(caller: Employee, sent: PollChanges, id?: Id) {
      const [before] = id === undefined ? [] : await reads.some(caller, [id])
      return before && before.chatWidgetId === sent.chatWidgetId ? {} : named.fieldErrors(caller, sent)
    },

    create: (caller: Employee, poll: NewPoll) =>
      db.write(caller, async (tx) => {
        await named.keep(tx, caller, poll)
        return tx.poll.create({ data: { ...poll, customerId: caller.customerId } })
      }),

    /** Changes a poll. Does nothing where it already has these values, so that a published version stays the present one. */
    change: (caller: Employee, id: Id, changes: PollChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        if (isAlready(before, changes)) return
        // A poll that is sent back as it was read may name a widget that has been deleted since.
        if (changes.chatWidgetId !== before.chatWidgetId) await named.keep(tx, caller, changes)
        await tx.poll.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    /** Deletes a poll. @throws AppError `conflict` where it has answers; storing an answer locks the poll */
    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        const answer = { customerId, pollId: id, pollVersion: { not: null } }
        if (await tx.pollAnswer.findFirst({ where: answer, select: { id: true } })) throw pollAnswered()
        await tx.poll.delete({ where: { id, customerId } })
      }),

    /**
     * Publishes the present state of the poll, as a version that never changes.
     * @returns the number of the version
     * @throws AppError `conflict` after `closes_at`
     */
    publish: (caller: Employee, id: Id, expected?: number): Promise<number> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const { version: last, closesAt, name, blocks } = await reads.lock(tx, caller, id, expected)
        if (closesAt && closesAt <= new Date()) throw pollClosed()
        const version = last + 1
        await tx.poll.update({ where: { id, customerId }, data: { publishedVersion: version, publishedAt: new Date() } })
        await tx.pollVersion.create({ data: { customerId, pollId: id, version, name, blocks } })
        return version
      }),
  }
}
