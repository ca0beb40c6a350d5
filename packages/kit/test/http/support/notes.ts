import type { Employee, Id } from '@caseway/kit/caller'
import { idempotencyStore, onViolation, resourceReads } from '@caseway/kit/database'
import { conflict } from '@caseway/kit/errors'
import { type Routes, resourceRoutes } from '@caseway/kit/http'
import type { ChangesOf, InputOf } from '@caseway/kit/resource'
import { type Db, noteResource, notesDatabase } from '../../support/notes.js'
import { type Served, serve } from './served.js'

type NewNote = InputOf<typeof noteResource>

/** A module like those of services: reads that are derived from the declaration, and writes with Prisma. */
const noteService = (db: Db) => {
  const reads = resourceReads(db, noteResource)
  return {
    ...reads,

    create: ({ customerId }: Employee, note: NewNote) =>
      db
        .write({ customerId }, (tx) => tx.note.create({ data: { title: '', ...note, customerId } }))
        .catch((error: unknown) => {
          throw onViolation(error, 'notes_customer_id_title_key', conflict('TITLE_TAKEN', 'There is such a note.'))
        }),

    change: (caller: Employee, id: Id, changes: ChangesOf<typeof noteResource>, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        const where = { id, customerId: caller.customerId }
        await tx.note.update({ where, data: { ...changes, modified: new Date(), version: { increment: 1 } } })
      }),

    remove: (caller: Employee, id: Id, expected?: number) =>
      db.write(caller, async (tx) => {
        await reads.lock(tx, caller, id, expected)
        await tx.note.delete({ where: { id, customerId: caller.customerId } })
      }),
  }
}

export interface ServedNotes extends Served {
  rows: Awaited<ReturnType<typeof notesDatabase>>['rows']
}

/** Serves notes from a real database. */
export async function serveNotes(others: (db: Db) => Routes[] = () => []): Promise<ServedNotes> {
  const { db, rows, stop } = await notesDatabase()
  const expert = [resourceRoutes(noteResource, noteService(db)), ...others(db)]
  const served = await serve({ expert, idempotency: idempotencyStore(db) })
  return {
    ...served,
    rows,
    async stop() {
      await served.stop()
      await stop()
    },
  }
}
