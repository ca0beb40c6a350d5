import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { integrity, licences } from '../checks/lockfile.mjs'

let project: string
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'lockfile-'))
})
afterEach(() => rm(project, { recursive: true }))

const lock = (packages: object) => writeFile(join(project, 'package-lock.json'), JSON.stringify({ packages }))
const good = { integrity: 'sha512-AA==', license: 'MIT' }

describe('the integrity of what is fetched', () => {
  it('is there for every package', async () => {
    await lock({ 'node_modules/a': good, 'node_modules/own': { resolved: 'packages/own', link: true }, 'packages/own': { license: 'MIT' } })
    expect(await integrity(project)).toEqual({ problems: [] })
  })

  it('may be missing for another platform alone', async () => {
    const other = { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] }
    await lock({ 'node_modules/a-darwin': other, 'node_modules/b': { optional: true }, 'node_modules/c': { integrity: 'sha1-AA==' } })
    expect((await integrity(project)).problems).toEqual([
      'package-lock.json: node_modules/b has no sha512',
      'package-lock.json: node_modules/c has no sha512',
    ])
  })

  it('does not come with the name of a host', async () => {
    await lock({
      'node_modules/a': { ...good, resolved: 'https://index.example/a.tgz' },
      'node_modules/b': { ...good, resolved: 'git+ssh://b' },
    })
    expect((await integrity(project)).problems).toHaveLength(2)
  })
})

describe('a licence', () => {
  const start = { dependencies: { shipped: '1' } }
  const check = async (shipped: object, tool: object = good) => {
    await lock({ service: start, 'node_modules/shipped': { ...good, ...shipped }, 'node_modules/tool': { ...good, ...tool } })
    return (await licences(project, ['service'])).problems
  }

  it.each(['MIT', '(Apache-2.0 AND BSD-3-Clause)', '(MIT OR CC0-1.0)', 'MIT and ISC'])('of an image may be %s', async (license) => {
    expect(await check({ license })).toEqual([])
  })

  it.each(['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'MPL-2.0', 'SEE LICENSE IN FILE', 'UNLICENSED', undefined])(
    'of an image may not be %s',
    async (license) => {
      expect(await check({ license })).toEqual([expect.stringContaining('node_modules/shipped has the licence')])
    },
  )

  it('of a tool may be one with conditions for distribution, but not any', async () => {
    expect(await check({}, { license: 'MPL-2.0' })).toEqual([])
    expect(await check({}, { license: 'GPL-3.0-only' })).toEqual([expect.stringContaining('node_modules/tool has the licence')])
  })
})
