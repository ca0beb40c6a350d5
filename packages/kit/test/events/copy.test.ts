import { forgetRevisions, platform } from '@caseway/kit/database'
import { type Copy, consumer, createCopies, fillCopy, resyncCopy } from '@caseway/kit/events'
import type { UserEvent } from '@caseway/protos/auth/v1/events'
import { userTopic } from '@caseway/protos/topics'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { keepPerson, userEvent } from '../support/people.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE person_copies, kit.copy_state'))

/** The owner of a copy, with pages of two people. `reads` counts how often its snapshot was read. */
function ownerOf(people: UserEvent[]) {
  const owner = { reads: 0, people }
  const keep = (people: readonly UserEvent[]) =>
    notes.db.write(platform, (tx) => Promise.all(people.map((person) => keepPerson(tx, person))))
  const copy: Copy<UserEvent[]> = {
    name: 'people',
    consumer: consumer(userTopic, async (event) => void (await keep([event]))),
    async *pages() {
      owner.reads++
      for (let start = 0; start < owner.people.length; start += 2) yield owner.people.slice(start, start + 2)
    },
    store: keep,
    forget: () => forgetRevisions(notes.db, 'person_copies'),
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

it('a newer event is kept when the snapshot is stored after it', async () => {
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

it('a copy that was filled can be filled again', async () => {
  const id = randomId()
  const { owner, copy } = ownerOf([person('First', 1n, id)])
  await fillCopy(notes.db, copy, { log })
  owner.people = [person('Second', 2n, id), person('New', 1n, id + 1n)]
  await resyncCopy(notes.db, copy)
  expect(await names()).toEqual(['Second', 'New'])
})

const filled = async () => (await notes.rows("SELECT FROM kit.copy_state WHERE name = 'people' AND stale_since IS NULL")).length === 1

it('a resync overwrites rows of any revision, but not those that an event writes meanwhile', async () => {
  const [poisoned, changing] = [randomId(), randomId()]
  await notes.db.write(platform, (tx) => keepPerson(tx, person('Forged', 2n ** 40n, poisoned)))
  const { copy } = ownerOf([person('Right', 3n, poisoned), person('Older', 3n, changing)])
  await notes.db.write(platform, (tx) => keepPerson(tx, person('Old', 2n, changing)))
  const pages = async function* () {
    for await (const page of copy.pages()) {
      // The event comes after the owner has read the page, and before the page is stored.
      await notes.db.write(platform, (tx) => keepPerson(tx, person('Newest', 4n, changing)))
      yield page
    }
  }
  await resyncCopy(notes.db, { ...copy, pages })
  const kept = await notes.rows('SELECT id, name, revision FROM person_copies')
  expect(new Set(kept)).toEqual(
    new Set([
      { id: String(poisoned), name: 'Right', revision: '3' },
      { id: String(changing), name: 'Newest', revision: '4' },
    ]),
  )
})

it('a resync ends rows that the owner no longer has, unless another resync has begun', async () => {
  const { copy } = ownerOf([person('Here')])
  const lost = person('Lost')
  await notes.db.write(platform, (tx) => keepPerson(tx, lost))
  const endForgotten = () => notes.rows('DELETE FROM person_copies WHERE revision = -1')
  const another = async function* () {
    for await (const page of copy.pages()) yield page
    await notes.rows("UPDATE kit.copy_state SET stale_since = now() + interval '1 second' WHERE name = 'people'")
  }
  await resyncCopy(notes.db, { ...copy, pages: another, endForgotten })
  expect((await names()).sort()).toEqual(['Here', 'Lost'])
  expect(await filled()).toBe(false)
  await resyncCopy(notes.db, { ...copy, endForgotten })
  expect(await names()).toEqual(['Here'])
  expect(await filled()).toBe(true)
})

it('a resync without an answer of the owner leaves the copy unchanged, and one that fails later is repeated', async () => {
  const id = randomId()
  const { copy } = ownerOf([person('First', 1n, id), person('Other'), person('Third')])
  await fillCopy(notes.db, copy, { log })
  const away = { ...copy, pages: () => failingAfter(0) }
  await expect(resyncCopy(notes.db, away)).rejects.toThrow('no answer')
  expect(await filled()).toBe(true)
  expect(await notes.rows('SELECT revision FROM person_copies WHERE id = $1', [id])).toEqual([{ revision: '1' }])
  await expect(resyncCopy(notes.db, { ...copy, pages: () => failingAfter(1) })).rejects.toThrow('no answer')
  expect(await filled()).toBe(false)
  await fillCopy(notes.db, copy, { log })
  expect(await filled()).toBe(true)
})

async function* failingAfter(pages: number): AsyncGenerator<UserEvent[]> {
  for (let page = 0; page < pages; page++) yield [person('First')]
  throw new Error('no answer')
}

it('a refill marks the copies as stale first, and reads them when a fill that is under way has ended', async () => {
  const { owner, copy } = ownerOf([person('Before')])
  const copies = createCopies({ db: notes.db, copies: [copy], log })
  copies.fill()
  await eventually(async () => expect(await filled()).toBe(true))
  const leave = Promise.withResolvers<void>()
  owner.people = [person('Missed')]
  const forget = copy.forget
  copy.forget = async () => {
    await leave.promise
    return forget()
  }
  await copies.refill()
  expect(await filled()).toBe(false)
  leave.resolve()
  await eventually(async () => expect(await names()).toContain('Missed'))
  await eventually(async () => expect(await filled()).toBe(true))
  await copies.stop()
})
