import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Files, formOf, scanned, startFiles } from '../support/files.js'
import { type SmallDisk, smallDisk } from '../support/small-disk.js'
import { expectBytes, expectUnavailable, survives } from '../support/storage-outage.js'

const mebibyte = 1_048_576

let disk: SmallDisk
let files: Files
beforeAll(async () => {
  disk = await smallDisk(16 * mebibyte)
  files = await startFiles({ variables: { FILES_FOLDER: disk.folder } })
})
afterAll(async () => {
  await files?.stop()
  await disk?.close()
})

const names = async () =>
  (await readdir(disk.folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile() && each.name !== 'filling')
    .map(({ name }) => name)

describe('uploads survive a disk', () => {
  it('that is full', () => survives(files, { begin: () => disk.fill(0), end: () => disk.free(), readable: true, names }))

  it('that becomes full during uploads', () =>
    survives(files, { begin: () => disk.fill(mebibyte), end: () => disk.free(), readable: true, sizeBytes: 1.5 * mebibyte, names }))

  it('that is read-only', () =>
    survives(files, { begin: () => disk.setReadOnly(true), end: () => disk.setReadOnly(false), readable: true, names }))

  it('that is not mounted', () => survives(files, { begin: disk.unmount, end: disk.mount, names }))
})

it('of uploads that together exceed the free space, each is refused or stored completely', async () => {
  const { customerId, expert } = files.office()
  const http = files.asExpert(expert)
  const contents = Array.from({ length: 6 }, () => randomBytes(1.5 * mebibyte))
  const before = await names()
  await disk.fill(4 * mebibyte)
  const answers = await Promise.all(contents.map((content) => http.post<{ id: number }>('/common_file', formOf(content))))
  await disk.free()
  let stored = 0
  for (const [index, answer] of answers.entries()) {
    if (answer.status !== 201) {
      expectUnavailable(answer)
      continue
    }
    stored++
    await scanned(http, answer.body.id)
    await expectBytes(files, answer.body.id, expert.token, contents[index])
  }
  expect(stored).toBeLessThan(6)
  expect(await files.database.rows('SELECT FROM common_files WHERE customer_id = $1', [customerId])).toHaveLength(stored)
  expect(await names()).toHaveLength(before.length + stored)
})
