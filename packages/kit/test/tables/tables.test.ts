import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientRows, missingStatements, officeRows, platformRows, type Tables, unprotected, versioned } from '@caseway/kit/tables'
import { eventually, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'

const columns = `id BIGINT PRIMARY KEY, customer_id BIGINT, client_id BIGINT, text TEXT, seen INTEGER, version INTEGER NOT NULL DEFAULT 1,
  modified TIMESTAMPTZ(3) NOT NULL DEFAULT now()`
const sql = `CREATE TABLE letters (${columns}); CREATE TABLE stamps (id BIGINT PRIMARY KEY);
  CREATE FUNCTION client_offices() RETURNS bigint[] LANGUAGE sql RETURN '{}'::bigint[]`

const letters = [officeRows(), clientRows('client_id', { atOpenOffices: true, mayLock: true }), versioned({ except: 'seen' })]
const tables: Tables = { letters, stamps: [platformRows()] }

const migrations = mkdtempSync(join(tmpdir(), 'caseway-tables-'))
beforeAll(() => {
  mkdirSync(join(migrations, '1_init'))
  writeFileSync(join(migrations, '1_init/migration.sql'), sql)
})
afterAll(() => rmSync(migrations, { recursive: true }))

let database: TestDatabase
let owner: pg.Client
beforeEach(async () => {
  database = await testDatabase({ name: 'table-rules', migrations })
  owner = await connected()
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

async function connected(): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: database.ownerUrl })
  await connection.connect()
  return connection
}
const obey = async (rules: Tables = tables) => owner.query((await missingStatements(database.ownerUrl, rules)).join('\n'))

describe('missingStatements', () => {
  it('makes a new database conform to its rules, and then returns nothing', async () => {
    expect(await missingStatements(database.ownerUrl, tables)).toHaveLength(10)
    await obey()
    expect(await missingStatements(database.ownerUrl, tables)).toEqual([])
    expect((await owner.query("SELECT policyname, cmd FROM pg_policies WHERE tablename = 'letters' ORDER BY 1")).rows).toEqual([
      { policyname: 'own', cmd: 'SELECT' },
      { policyname: 'own_lock', cmd: 'UPDATE' },
      { policyname: 'tenant', cmd: 'ALL' },
    ])
  })

  it.each([
    ['a policy that allows more', 'ALTER POLICY tenant ON letters USING (true)', 2],
    ['a policy for other roles', 'ALTER POLICY platform ON stamps TO postgres', 2],
    ['a policy that is not declared', 'CREATE POLICY other ON letters FOR SELECT USING (true)', 1],
    ['a policy that is gone', 'DROP POLICY own ON letters', 1],
    ['row-level security that does not bind the owner', 'ALTER TABLE letters NO FORCE ROW LEVEL SECURITY', 2],
    ['row-level security that is off', 'ALTER TABLE letters DISABLE ROW LEVEL SECURITY', 2],
    ['a trigger that does not fire', 'ALTER TABLE letters DISABLE TRIGGER advance_version', 2],
    ['a trigger that is gone', 'DROP TRIGGER advance_version ON letters', 1],
    ['another function', "CREATE OR REPLACE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'", 1],
  ])('finds %s', async (_, change, statements) => {
    await obey()
    await owner.query(change)
    expect(await missingStatements(database.ownerUrl, tables)).toHaveLength(statements)
    await obey()
    expect(await missingStatements(database.ownerUrl, tables)).toEqual([])
  })

  it('rejects when the connection is lost', async () => {
    await owner.query('BEGIN; LOCK TABLE letters')
    const rejected = expect(missingStatements(database.ownerUrl, tables)).rejects.toThrow()
    const terminate =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await eventually(async () => expect(await database.rows(terminate)).toHaveLength(1))
    await rejected
    await owner.query('ROLLBACK')
  })

  it('drops what is no longer declared', async () => {
    await obey()
    await obey({ ...tables, stamps: [unprotected('Everybody may see them.')] })
    expect((await owner.query("SELECT relrowsecurity AS on FROM pg_class WHERE relname = 'stamps'")).rows).toEqual([{ on: false }])
    expect((await owner.query("SELECT FROM pg_policies WHERE tablename = 'stamps'")).rows).toEqual([])
  })

  it.each([
    ['a table without rules', { letters }, 'No rule is declared for stamps.'],
    ['rules without a table', { ...tables, seals: [officeRows()] }, 'There is no table seals.'],
    ['a version that no trigger advances', { ...tables, letters: [officeRows()] }, 'letters has the columns version and modified'],
  ])('throws for %s', async (_, rules, message) => {
    await expect(missingStatements(database.ownerUrl, rules)).rejects.toThrow(message)
    expect((await owner.query('SELECT FROM pg_policies')).rows).toEqual([])
  })
})

describe('a versioned table', () => {
  const letter = async () => (await owner.query<{ version: number; modified: Date }>('SELECT version, modified FROM letters')).rows[0]
  beforeEach(async () => {
    await obey()
    await owner.query("INSERT INTO letters (id, customer_id, modified) VALUES (1, 1, '2020-01-01')")
  })

  it.each([
    ['neither', "text = 'x'"],
    ['the next version, like an older build', 'version = version + 1'],
    ['other values', "version = 77, modified = '1999-01-01'"],
  ])('increments version by one and sets modified, when an UPDATE sets %s', async (_, assignment) => {
    await owner.query(`UPDATE letters SET ${assignment}`)
    expect(await letter()).toMatchObject({ version: 2 })
    expect(Date.now() - ((await letter())?.modified.getTime() ?? 0)).toBeLessThan(60_000)
  })

  it('leaves both unchanged when the excepted column changes', async () => {
    await owner.query('UPDATE letters SET seen = 1')
    expect(await letter()).toEqual({ version: 1, modified: new Date('2020-01-01') })
  })

  it('never sets modified back', async () => {
    const future = new Date('2100-01-01')
    await owner.query('ALTER TABLE letters DISABLE TRIGGER advance_version')
    await owner.query('UPDATE letters SET modified = $1', [future])
    await owner.query('ALTER TABLE letters ENABLE TRIGGER advance_version')
    await owner.query("UPDATE letters SET text = 'x'")
    expect(await letter()).toEqual({ version: 2, modified: future })
  })

  it('sets modified to the time of the UPDATE, not to the beginning of the transaction', async () => {
    const early = await connected()
    await early.query('BEGIN')
    await early.query('SELECT now()')
    await owner.query("UPDATE letters SET text = 'first'")
    const { rows } = await owner.query<{ time: Date }>('SELECT clock_timestamp()::timestamptz(3) AS time')
    await early.query("UPDATE letters SET text = 'second'")
    await early.query('COMMIT')
    await early.end()
    expect((await letter())?.modified.getTime()).toBeGreaterThanOrEqual(rows[0]?.time.getTime() ?? Number.NaN)
    expect(await letter()).toMatchObject({ version: 3 })
  })
})
