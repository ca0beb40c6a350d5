import { platform, rowPages } from '@caseway/kit/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
  await notes.rows(`
    CREATE TABLE pages (chapter bigint, letter text, content text, picture bytea, PRIMARY KEY (letter, chapter));
    GRANT SELECT ON pages TO "${new URL(notes.url).username}"`)
})
afterAll(() => notes.stop())

/** The keys of the rows, page by page. */
async function keysByPage(source: string): Promise<string[][]> {
  const pages = await rowPages(notes.db, 'pages')
  const keys: string[][][] = []
  for (let last: string[] | undefined = []; last; last = keys.at(-1)?.at(-1)) {
    const sql = `SELECT key FROM (${pages.next(source, last.length > 0 ? 1 : null)}) AS page ORDER BY nth`
    const rows = await notes.db.query(platform, CompiledQuery.raw(sql, last) as CompiledQuery<{ key: string[] }>)
    keys.push(rows.map(({ key }) => key))
  }
  return keys.map((page) => page.map((key) => key.join('')))
}
const fill = async (rows: string) => {
  await notes.rows('TRUNCATE pages')
  await notes.rows(`INSERT INTO pages (letter, chapter, content, picture) ${rows}`)
}
const sizesOf = (pages: string[][]) => pages.map((page) => page.length)

describe('the pages of a table', () => {
  it('contain every row once, in the order of the key, and at most 500 rows each', async () => {
    await fill("SELECT letter, chapter, '', NULL FROM generate_series(1, 600) chapter, unnest(ARRAY['b', 'a']) letter")
    const pages = await keysByPage('pages WHERE true')
    expect(sizesOf(pages)).toEqual([500, 500, 200, 0])
    expect(pages.flat()).toEqual(['a', 'b'].flatMap((letter) => Array.from({ length: 600 }, (_, nth) => `${letter}${nth + 1}`)))
  })

  it('contain only rows that match the condition', async () => {
    await fill("SELECT 'a', chapter, '', NULL FROM generate_series(1, 600) chapter")
    expect(sizesOf(await keysByPage('pages WHERE chapter % 300 = 0'))).toEqual([2, 0])
  })

  it('contain at most a megabyte of values, or one row', async () => {
    await fill(`
      SELECT 'a', nth, repeat('x', length), decode(repeat('00', bytes), 'hex')
      FROM unnest(ARRAY[400000, 400000, 400000, 2000000, 10], ARRAY[0, 199000, 0, 0, 10]) WITH ORDINALITY AS row (length, bytes, nth)`)
    expect(await keysByPage('pages WHERE true')).toEqual([['a1', 'a2'], ['a3'], ['a4'], ['a5'], []])
  })
})
