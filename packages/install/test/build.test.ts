import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-build-'))
  for (const path of ['packages/install', 'node_modules/.bin']) mkdirSync(join(folder, path), { recursive: true })
  copyFileSync(fileURLToPath(new URL('../build.mjs', import.meta.url)), join(folder, 'packages/install/build.mjs'))
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { build } from './packages/install/build.mjs'\nawait build('npm start')\nconsole.log('built')`,
  )
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a program that builds with a fake turbo, a shell script of these lines. */
function buildWith(...lines: string[]) {
  writeFileSync(join(folder, 'node_modules/.bin/turbo'), ['#!/bin/sh', ...lines].join('\n'), { mode: 0o755 })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'start.mjs')], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('a build', () => {
  it('prints nothing when there is nothing to do', () => {
    expect(buildWith('echo cached')).toEqual({ status: 0, stdout: 'built\n', stderr: '' })
  })

  it('says on stderr that it runs when it takes long, so that `--json` stays one document', () => {
    const { status, stdout, stderr } = buildWith('sleep 3')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'built\n' })
    expect(stderr).toMatch(/^Building what has changed.*\n$/)
  })

  it('that fails ends the program with its output and one sentence', () => {
    expect(buildWith('echo reason; exit 1')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'reason\n\nCaseway could not be built; the reason is above.\n',
    })
  })
})
