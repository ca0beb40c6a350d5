import { requireSecret, type SealedColumn } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('DELETE FROM notes'))

/** A sealed column of titles: those that begin with this letter count as sealed with a known secret. */
const titlesOf = (letter: string): SealedColumn => ({
  ...{ table: 'notes', key: { column: 'id', type: 'bigint' }, column: 'title' },
  sealer: {
    knows: (title) => String(title).startsWith(letter),
    open(title, identity) {
      throw new Error(`${title} of ${identity} is not known`)
    },
    reseal: () => undefined,
  },
})
const note = async (title: string) => {
  const [row] = await notes.rows<{ id: string }>('INSERT INTO notes (customer_id, title) VALUES ($1, $2) RETURNING id::text', [
    randomId(),
    title,
  ])
  return row?.id
}
const requireOf = (...letters: string[]) => requireSecret(notes.db, letters.map(titlesOf))

describe('requireSecret', () => {
  it('accepts any secret where no value is sealed', () => requireOf('A'))

  it('accepts a secret that has sealed one of the last values of a column', async () => {
    for (const title of ['A', 'B', 'B']) await note(title)
    await requireOf('A')
    await requireOf('C', 'A')
  })

  it('throws for any other secret', async () => {
    const id = await note('B')
    await expect(requireOf('A', 'C')).rejects.toThrow(`B of ${id} is not known`)
  })

  it('checks nothing while the database is unavailable', async () => {
    const away = notes.open({}, 'postgresql://nobody@127.0.0.1:1/nothing')
    await requireSecret(away, [titlesOf('A')])
  })
})
