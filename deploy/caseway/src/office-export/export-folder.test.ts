import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { exportFolder } from './export-folder.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caseway-export-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('lines are read as they were written, whatever characters they contain', async () => {
  const rows = ['one', 'with\u2028and\u2029within', 'ą'.repeat(100_000), '', 'last'].map((text) => JSON.stringify({ text }))
  const files = exportFolder(folder)
  async function* content() {
    for (const row of rows) yield `${row}\n`
  }
  await files.write('rows.ndjson', content())
  const lines: string[] = []
  for await (const line of files.lines('rows.ndjson')) lines.push(line)
  expect(lines).toEqual(rows)
})
