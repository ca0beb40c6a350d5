import { erasePerson, type Person } from '@caseway/kit/person-data'
import { impersonal, officeRows, personal, personalRows, type Tables, undecidedColumns, unprotected, written } from '@caseway/kit/tables'
import { randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'

const tables: Tables = {
  notes: [officeRows(), written(['title'], { own: '"notes"."client_id" = person.person_id' })],
  person_copies: [unprotected('A test.'), personalRows('"id" = person.person_id AND "customer_id" = person.office_id')],
}
const [ours, theirs, client] = [randomId(), randomId(), randomId()]
const person: Person = {
  ...{ customerId: ours, clientId: client, account: true, externalUserId: null },
  emails: ['Ada.B+c@client.example', 'jan@xn--bcher-kva.example'],
  phones: ['+48 600 100-200', '112'],
  names: [
    { first: 'Łucja', last: 'Ćwik' },
    { first: '', last: 'Ox' },
    { first: 'Seán', last: "O'Neill" },
    { first: 'Ana María', last: 'Ruiz' },
  ],
  companies: ['A.B. (Ltd)'],
}

let notes: Notes
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(() => notes.stop())

const write = (title: string, { customerId = ours, clientId = null as bigint | null } = {}) =>
  notes.rows('INSERT INTO notes (customer_id, client_id, title) VALUES ($1, $2, $3)', [customerId, clientId, title])
const erase = () => erasePerson(notes.db, tables, person)

describe('a person who is erased', () => {
  it.each([
    ['an address, whatever its case', 'to ada.b+C@CLIENT.example!', 'to ***!'],
    ['an address, in either form of its domain', 'Jan@Bücher.example, jan@xn--bcher-kva.example', '***, ***'],
    [
      'no address that only ends or begins alike',
      'xada.b+c@client.example, ada.b+c@client.example1',
      'xada.b+c@client.example, ada.b+c@client.example1',
    ],
    ['a phone, however it is divided', 'call 48 600100200, +48-600-100-200 or 600 100 200', 'call ***, *** or ***'],
    ['not a longer number that contains it, and not a short one', '148600100200 and 112', '148600100200 and 112'],
    ['a full name, in both orders', 'ŁUCJA  ćwik, Ćwik Łucja', '***, ***'],
    [
      'a name in HTML',
      'Seán&nbsp;O&#39;Neill, Seán O&apos;Neill, Ana&nbsp;María Ruiz, <b>Seán</b> O’Neill',
      '***, ***, ***, <b>Seán</b> O’Neill',
    ],
    ['a name after a line break of JSON', '"Dear\\nŁucja\\nĆwik"', '"Dear\\n***"'],
    ['a name in the name of a file or a sender', 'Łucja_Ćwik.pdf, "Ćwik, Łucja" <x@y.example>', '***.pdf, "***" <x@y.example>'],
    ['not a longer name with the same beginning', 'Łucja Ćwiklińska, Seán O&#39;Neills', 'Łucja Ćwiklińska, Seán O&#39;Neills'],
    ['no single name and no company', 'Łucja Ćwik, Łucja of A.B. (Ltd)', '***, Łucja of A.B. (Ltd)'],
  ])('is blacked out in what anybody has written: %s', async (_, before, after) => {
    await write(before)
    await erase()
    expect(await notes.titlesOf(ours)).toEqual([after])
  })

  it('is blacked out by each of their names in texts about them, except names of two letters', async () => {
    await write('Łucja, A.B. (Ltd) and an Ox of Ćwikła', { clientId: client })
    await erase()
    expect(await notes.titlesOf(ours)).toEqual(['***, *** and an Ox of Ćwikła'])
  })

  it('whose name is also in a key of JSON is blacked out in values only', async () => {
    const [name, row] = [{ first: 'Nora', last: 'Name' }, { clientId: client }]
    const named: Tables = { notes: [officeRows(), written(['title'], { own: '"notes"."client_id" = person.person_id', json: true })] }
    await write('{"name":"Nora Name","object_name" : "Ms Name\\"","name_of":["Name",{"Nora":"Nora"}]}', row)
    await erasePerson(notes.db, named, { ...person, names: [name] })
    expect(await notes.titlesOf(ours)).toEqual(['{"name":"***","object_name" : "Ms ***\\"","name_of":["***",{"Nora":"***"}]}'])
  })

  it('stays in the records of another office', async () => {
    await write('Łucja Ćwik', { customerId: theirs })
    await notes.rows(`INSERT INTO person_copies (id, customer_id, name, revision) VALUES ($1, $2, 'A', 1)`, [client, ours])
    expect(await erase()).toBe(1)
    expect(await notes.titlesOf(theirs)).toEqual(['Łucja Ćwik'])
    expect(await notes.rows('SELECT FROM person_copies')).toEqual([])
  })

  it('is erased from more rows than one transaction changes, each once', async () => {
    await notes.rows(`INSERT INTO notes (customer_id, title) SELECT $1, nth || ' Łucja Ćwik' FROM generate_series(1, 1201) AS nth`, [ours])
    expect([await erase(), await erase()]).toEqual([1201, 0])
  })

  it('is searched in a megabyte of texts at once', async () => {
    await notes.rows(
      `INSERT INTO note_comments (customer_id, body) SELECT $1, 'Łucja Ćwik' || repeat('.', 300000) FROM generate_series(1, 10)`,
      [ours],
    )
    const found: number[] = []
    const query: typeof notes.db.query = async (scoped, statement) => {
      const rows = await notes.db.query(scoped, statement)
      if (statement.sql.includes('UPDATE "note_comments"')) found.push((rows[0] as { found: number }).found)
      return rows
    }
    await erasePerson({ ...notes.db, query }, { note_comments: [officeRows(), written(['body'])] }, person)
    expect(found).toEqual([3, 3, 3, 1, 0, 0, 0, 0, 0, 0])
  })

  it('is erased also from concurrent writes', async () => {
    await write('Łucja Ćwik')
    const held = await holdTransaction(notes, `UPDATE notes SET title = 'Dear Łucja Ćwik' WHERE customer_id = $1`, [ours])
    const erasing = erase()
    await untilWaiting(notes, 1)
    await held.commit()
    await erasing
    expect(await notes.titlesOf(ours)).toEqual(['Dear ***'])
  })

  it('is erased from finished jobs, dead letters and stored answers', async () => {
    await notes.rows(
      `INSERT INTO kit.job (name, payload, priority, state, due, run_at)
       SELECT name, payload::jsonb, 0, state, now(), now() FROM (VALUES
         ('a', '{"to":"ada.b+c@client.example"}', 'done'), ('b', '{"to":"ada.b+c@client.example"}', 'running'), ('c', '{}', 'done')) AS job (name, payload, state)`,
    )
    await notes.rows(
      `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
       SELECT said, gen_random_uuid(), 't', 'k', convert_to(said, 'UTF8'), '{}', now(), 'e' FROM unnest($1::text[]) AS said`,
      [['x Ada.B+c@client.example', 'x']],
    )
    await notes.rows(
      `INSERT INTO kit.idempotency_key (caller, route, key, body_hash, body) VALUES ('c', 'r', 'k', 'h', '{"email":"ada.b+c@client.example"}')`,
    )
    await erase()
    expect(await notes.rows('SELECT name FROM kit.job ORDER BY name')).toEqual([{ name: 'b' }, { name: 'c' }])
    expect(await notes.rows('SELECT consumer FROM kit.dead_letter')).toEqual([{ consumer: 'x' }])
    expect(await notes.rows('SELECT body FROM kit.idempotency_key')).toEqual([{ body: '{"email":"***"}' }])
  })

  it.each([
    [
      'that has the names in fields',
      '{"firstname":"Łucja","lastname":"Ćwik","company":"A.B. (Ltd)"}',
      '{"firstname":"***","lastname":"***","company":"***"}',
    ],
    ['that names the client', `{"user_client_id":"${client}","content":"To Łucja"}`, `{"user_client_id":"${client}","content":"To ***"}`],
    ['of another person, which stays', '{"firstname":"Łucja","lastname":"Nowak"}', '{"firstname":"Łucja","lastname":"Nowak"}'],
  ])('is in no remembered answer about a record %s, and another office gets its own again', async (_, before, after) => {
    const remember = (caller: string) =>
      notes.rows(`INSERT INTO kit.idempotency_key (caller, route, key, body_hash, body) VALUES ($1, 'r', 'k', 'h', $2)`, [caller, before])
    const [expert, self, stranger] = [`employee:1@${ours}`, `client:${client}@`, `employee:1@${theirs}`]
    for (const caller of [expert, self, stranger]) await remember(caller)
    await erase()
    const kept = await notes.rows<{ caller: string; body: string }>('SELECT caller, body FROM kit.idempotency_key')
    const bodies = new Map(kept.map(({ caller, body }) => [caller, body]))
    expect([expert, self, stranger].map((caller) => bodies.get(caller))).toEqual([after, after, before])
  })

  it('is erased from dead letters with the names in fields, and other people stay', async () => {
    const message = (firstname: string, lastname: string) => recordOf(userEvent(1n, { firstname, lastname })).payload
    const keep = (name: string, key: bigint, payload: Uint8Array) =>
      notes.rows(
        `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
         VALUES ($1, gen_random_uuid(), 't', $2, $3, '{}', now(), 'e')`,
        [name, String(key), Buffer.from(payload)],
      )
    await keep('of the office', ours, message('Łucja', 'Ćwik'))
    await keep('of the account', client, message('Łucja', 'Ćwik'))
    await keep('longer last name', ours, message('Łucja', 'Ćwikła'))
    await keep('longer first name', ours, message('Seánna', "O'Neill"))
    await keep('namesake of another office', theirs, message('Łucja', 'Ćwik'))
    await erase()
    const left = await notes.rows<{ consumer: string }>('SELECT consumer FROM kit.dead_letter ORDER BY consumer')
    expect(left.map(({ consumer }) => consumer)).toEqual(['longer first name', 'longer last name', 'namesake of another office'])
  })

  it('is not searched endlessly', async () => {
    await write('A')
    const endless: Tables = { notes: [officeRows(), personal('true', { title: 'gen_random_uuid()::text' })] }
    await expect(erasePerson(notes.db, endless, person)).rejects.toThrow('still finds what it has erased')
  })
})

describe('a column of texts', () => {
  it('must have a rule for the erasure of a person', async () => {
    const undecided: Tables = { notes: [officeRows()], note_comments: [impersonal('body')], person_copies: [personalRows('false')] }
    expect(await undecidedColumns(notes.ownerUrl, undecided)).toEqual(['notes.title'])
    expect(await undecidedColumns(notes.ownerUrl, { ...undecided, ...tables })).toEqual([])
  })
})
