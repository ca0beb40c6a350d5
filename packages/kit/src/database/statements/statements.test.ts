import { describe, expect, it } from '@jest/globals'
import { statementName } from './statements.js'

const placeholders = (count: number) => Array.from({ length: count }, (_, index) => `$${index + 1}`)

describe('the name of a statement', () => {
  it('is the same for the same text', () => {
    const text = 'SELECT "id" FROM "tags" WHERE "id" = ANY ($1)'
    expect(statementName(text)).not.toBe('')
    expect(statementName(text)).toBe(statementName(text))
    expect(statementName(`${text} `)).not.toBe(statementName(text))
  })

  it('is empty for lists: a thousand of different lengths use up no names', () => {
    for (let length = 2; length < 1002; length++) {
      const list = placeholders(length)
      expect(statementName(`SELECT "id" FROM "tags" WHERE "id" IN (${list.join(',')})`)).toBe('')
      expect(statementName(`select "id" from "tags" where "id" in (${list.join(', ')}) limit 1`)).toBe('')
      expect(statementName(`INSERT INTO "tags" ("id") VALUES ${list.map((place) => `(${place})`).join(', ')}`)).toBe('')
    }
    for (const text of [
      'SELECT "id" FROM "tags" WHERE "id" IN ($1)',
      'INSERT INTO "tags" ("id", "name") VALUES ($1, $2) ON CONFLICT ("id", "name") DO NOTHING',
      'SELECT * FROM unnest($1::text[], $2::text[]) AS some (a, b)',
    ]) {
      expect(statementName(text)).not.toBe('')
    }
  })
})
