import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { modules } from '../checks/modules.mjs'

let project: string
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'modules-'))
  for (const module of ['tags', 'issue-tags', 'generated']) await mkdir(join(project, 'services/shop/src', module), { recursive: true })
  await writeFile(join(project, 'services/shop/src/main.ts'), '')
})
afterEach(() => rm(project, { recursive: true }))

it('the README of a service names every folder of its src, except for generated ones', async () => {
  await writeFile(join(project, 'services/shop/README.md'), '| `tags/` | labels |\n| `issue-tags` | which cases have which |')
  expect(await modules(project)).toEqual({ problems: [] })
})

it('a module that the README does not name, or names as a part of another one, is a problem', async () => {
  await writeFile(join(project, 'services/shop/README.md'), '| `issue-tags/` | which cases have which |')
  expect(await modules(project)).toEqual({ problems: ['services/shop/README.md does not name the module tags'] })
})
