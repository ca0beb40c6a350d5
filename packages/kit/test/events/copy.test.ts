import { platform } from '@caseway/kit/database'
import { type Copy, fillCopy, resyncCopy } from '@caseway/kit/events'
import type { UserEvent } from '@caseway/protos/auth/v1/events'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { keepPerson, userEvent } from '../support/people.js'
import type { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE person_copies, kit.copy_state'))

/** What the owner has, two people a page. `reads` counts how often it was asked for all. */
function ownerOf(people: UserEvent[]) {
  const owner = { reads: 0, people }
  const copy: Copy<PrismaClient, UserEvent[]> = {
    name: 'people',
    async *pages() {
      owner.reads++
      for (let start = 0; start < owner.people.length; start += 2) yield owner.people.slice(start, start + 2)
    },
    store: (tx, page) => Promise.all(page.map((person) => keepPerson(tx, person))),
  }
  return { owner, copy }
}
const names = async () => (await notes.rows<{ name: string }>('SELECT name FROM person_copies ORDER BY id')).map(({ name }) => name)
const person = (lastname: string, revision = 1n, id = randomId()) => userEvent(id, { lastname, revision })

it('an empty copy is filled, once', async () => {
  const first = randomId()
  const { owner, copy } = ownerOf(['A', 'B', 'C', 'D', 'E'].map((name, index) => person(name, 1n, first + BigInt(index))))
  await fillCopy(notes.db, copy, { log })
  await fillCopy(notes.db, copy, { log })
  expect(await names()).toEqual(['A', 'B', 'C', 'D', 'E'])
  expect(owner.reads).toBe(1)
})

it('a newer event is kept when the snapshot comes after it', async () => {
  const id = randomId()
  await notes.db.write(platform, (tx) => keepPerson(tx, person('Newer', 2n, id)))
  await fillCopy(notes.db, ownerOf([person('Older', 1n, id)]).copy, { log })
  expect(await names()).toEqual(['Newer'])
})

it('a copy is filled as soon as its owner answers', async () => {
  const { owner, copy } = ownerOf([person('Late')])
  const pages = () => {
    if (owner.reads++ === 0) throw new Error('not there yet')
    return copy.pages()
  }
  await fillCopy(notes.db, { ...copy, pages }, { log })
  expect(await names()).toEqual(['Late'])
})

it('the tries end with their signal', async () => {
  const stopping = new AbortController()
  const pages = () => {
    stopping.abort(new Error('the service stops'))
    throw new Error('not there yet')
  }
  const filling = fillCopy(notes.db, { ...ownerOf([]).copy, pages }, { log, signal: stopping.signal })
  await expect(filling).rejects.toThrow('the service stops')
})

it('a copy that was filled can be read again', async () => {
  const id = randomId()
  const { owner, copy } = ownerOf([person('First', 1n, id)])
  await fillCopy(notes.db, copy, { log })
  owner.people = [person('Second', 2n, id), person('New', 1n, id + 1n)]
  await resyncCopy(notes.db, copy)
  expect(await names()).toEqual(['Second', 'New'])
})
