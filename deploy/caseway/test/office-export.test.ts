import { join } from 'node:path'
import { diskBlobStore } from '@caseway/kit/blobs'
import { exportedTables } from '@caseway/kit/office-data'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { definitions } from '../src/definitions.js'
import { exportFolder } from '../src/office-export/export-folder.js'
import { temporaryFolder } from './support/exported-folder.js'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let there: Installation
beforeAll(async () => {
  there = await installation()
})
afterAll(() => there.drop())

it('an export has each table of each service of which an office reads rows', async () => {
  const { customer_id } = await there.office()
  const folder = temporaryFolder()
  await diskBlobStore(folder).open(true)
  const destination = join(folder, 'export')
  const env = { ...there.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }
  documentOf(await caseway(env, 'office', 'export', '--office', customer_id, '--to', destination, '--json'))
  const listed: string[] = []
  for await (const line of exportFolder(destination).lines('manifest.ndjson')) listed.push(JSON.parse(line).path)
  const tables = definitions.flatMap(({ name, tables }) => exportedTables(tables).map((table) => `${name}/${table.name}.ndjson`))
  expect(listed.toSorted()).toEqual(['export.json', ...tables].toSorted())
})
