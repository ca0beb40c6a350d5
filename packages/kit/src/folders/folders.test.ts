import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { makeFolder } from './index.js'

const parent = mkdtempSync(join(tmpdir(), 'caseway-folders-'))
afterAll(() => rmSync(parent, { recursive: true }))

it('a folder is created with its parents, for its owner only, and once', async () => {
  const folder = join(parent, 'one/two/three')
  await Promise.all([makeFolder(folder), makeFolder(folder)])
  await makeFolder(folder)
  expect(readdirSync(join(parent, 'one/two'))).toEqual(['three'])
  for (const made of ['one', 'one/two', 'one/two/three']) expect(statSync(join(parent, made)).mode & 0o777).toBe(0o700)
})

it('a folder that cannot be created is refused, also below a link to nothing and in /proc', async () => {
  writeFileSync(join(parent, 'file'), '')
  symlinkSync(join(parent, 'not-mounted'), join(parent, 'link'))
  await expect(makeFolder(join(parent, 'file/inside'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(makeFolder(join(parent, 'link/inside'))).rejects.toMatchObject({ code: 'ENOENT' })
  if (existsSync('/proc/self')) await expect(makeFolder('/proc/caseway/inside')).rejects.toMatchObject({ code: 'ENOENT' })
})
