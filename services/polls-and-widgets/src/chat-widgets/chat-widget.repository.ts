import type { Employee, Id } from '@caseway/kit/caller'
import { type Database, resourceReads } from '@caseway/kit/database'
import type { PrismaClient } from '../generated/client.js'
import { type ChatWidgetChanges, chatWidgetResource, type NewChatWidget } from './chat-widget.resource.js'

export const chatWidgetRepository = (db: Database<PrismaClient>) => {
  const reads = resourceReads(db, chatWidgetResource)
  return {
    ...reads,

    create: (caller: Employee, input: NewChatWidget) =>
      db.write(caller, (tx) => tx.chatWidget.create({ data: { ...input, userId: caller.userId, customerId: caller.customerId } })),

    change: (caller: Employee, id: Id, changes: ChatWidgetChanges, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.chatWidget.update({ where: { id, customerId: caller.customerId }, data: changes })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.chatWidget.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export type ChatWidgetRepository = ReturnType<typeof chatWidgetRepository>
