import { randomUUID } from 'node:crypto'
import type { Employee, Id } from '@caseway/kit/caller'
import { platform, resourceReads } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type ChatWidgetChanges, chatWidgetResource, type NewChatWidget } from './chat-widget.resource.js'

export const chatWidgetRepository = (db: Db) => {
  const reads = resourceReads(db, chatWidgetResource)
  return {
    ...reads,

    findNewest: (caller: Employee) =>
      db.read(caller).chatWidget.findFirst({ where: { customerId: caller.customerId }, orderBy: { id: 'desc' } }),

    create: (caller: Employee, input: NewChatWidget) =>
      db.write(caller, (tx) => tx.chatWidget.create({ data: { ...input, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: ChatWidgetChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.chatWidget.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    /** Gives the widget a new hash. The old one is no longer valid. */
    replaceHash: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        const data = { externalHash: randomUUID() }
        return tx.chatWidget.update({ where: { id, customerId: caller.customerId }, data })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.chatWidget.delete({ where: { id, customerId: caller.customerId } })
      }),

    /** Whether a widget of any office has this origin. */
    async hasOrigin(origin: string) {
      return (await db.read(platform).chatWidget.findFirst({ where: { url: origin }, select: { id: true } })) !== null
    },
  }
}

export type ChatWidgetRepository = ReturnType<typeof chatWidgetRepository>
