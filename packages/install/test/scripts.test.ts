import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'

const script = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Node options that make a script see an older version of Node. */
const pretend = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-install-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('ensure-installed', () => {
  const run = (...flags: string[]) =>
    spawnSync(process.execPath, [...flags, join(folder, 'packages/install/ensure-installed.mjs')], {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(folder, 'npm.mjs') },
    })

  /** A fake npm that prints its arguments. */
  const npmThatEndsWith = (code: number) =>
    writeFileSync(join(folder, 'npm.mjs'), `console.log('npm ' + process.argv.slice(2).join(' ')); process.exit(${code})`)

  beforeEach(() => {
    mkdirSync(join(folder, 'packages/install'), { recursive: true })
    copyFileSync(script('ensure-installed.mjs'), join(folder, 'packages/install/ensure-installed.mjs'))
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    npmThatEndsWith(0)
  })

  const install = (secondsAgo: number) => {
    const installed = join(folder, 'node_modules/.package-lock.json')
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    writeFileSync(installed, '{}')
    const time = Date.now() / 1000 - secondsAgo
    utimesSync(installed, time, time)
  }

  it('installs where nothing is installed, and says so', () => {
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Installing packages.*\nnpm ci /) })
  })

  it('installs again when the lockfile is newer', () => {
    install(60)
    expect(run().stdout).toContain('npm ci')
  })

  it('does nothing, and says nothing, when everything is there', () => {
    install(-1)
    expect(run()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it('ends with one sentence when npm fails', () => {
    npmThatEndsWith(7)
    expect(run()).toMatchObject({ status: 1, stderr: 'The packages could not be installed; npm says why above.\n' })
  })

  it('refuses an old Node with one sentence', () => {
    const { status, stdout, stderr } = run(...pretend('18.19.0'))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe('Caseway needs Node 20 or newer, and this is Node 18.19.0: https://nodejs.org has a newer one.\n')
  })
})

describe('with-node', () => {
  const start = (source: string, ...flags: string[]) => {
    const path = join(folder, 'script.mjs')
    writeFileSync(path, source)
    const child = spawn(process.execPath, [...flags, script('with-node.mjs'), path, 'one', 'two'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const output: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
    return { child, output, ended: once(child, 'close') }
  }
  const tells = 'console.log(process.versions.node.split(".")[0], ...process.argv.slice(2)); process.exitCode = 3'

  it.each([
    ['hands over within the process when its Node is new enough', []],
    ['starts the Node of the packages when its own is older', pretend('20.1.0')],
  ])('%s', async (_, flags) => {
    const { output, ended } = start(tells, ...flags)
    expect(await ended).toEqual([3, null])
    expect(output.join('')).toBe('24 one two\n')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('passes %s on and waits for the end', async (signal) => {
    const waits = `process.on('${signal}', () => { console.log('stopped'); process.exit(0) }); console.log('up'); setInterval(() => {}, 1000)`
    const { child, output, ended } = start(waits, ...pretend('20.1.0'))
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(output.join('')).toBe('up\nstopped\n')
  })

  it('ends by the signal that ended the script', async () => {
    const { ended } = start("process.kill(process.pid, 'SIGKILL')", ...pretend('20.1.0'))
    expect(await ended).toEqual([null, 'SIGKILL'])
  })
})

describe('complete-lock', () => {
  const complete = (packages: object) => {
    const path = join(folder, 'package-lock.json')
    writeFileSync(path, JSON.stringify({ packages }))
    expect(spawnSync(process.execPath, [script('complete-lock.mjs')], { cwd: folder }).status).toBe(0)
    return JSON.parse(readFileSync(path, 'utf8')).packages
  }

  it('adds the optional packages that the registry did not have', () => {
    const packages = complete({
      'node_modules/tool': { version: '1.0.0', dev: true, optionalDependencies: { '@tool/windows-64': '^1.2.3' } },
    })
    expect(packages['node_modules/@tool/windows-64']).toEqual({ version: '1.2.3', cpu: ['x64'], os: ['win32'], dev: true, optional: true })
  })

  it('keeps what is there, and no address of a registry', () => {
    const known = { version: '1.0.1', optional: true }
    const packages = complete({
      'node_modules/tool': {
        version: '1.0.0',
        resolved: 'https://registry.example/tool.tgz',
        optionalDependencies: { 'tool-linux-x64': '1.0.1' },
      },
      'node_modules/tool/node_modules/tool-linux-x64': known,
      'node_modules/own': { resolved: 'packages/own', link: true },
    })
    expect(packages).toEqual({
      'node_modules/own': { resolved: 'packages/own', link: true },
      'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-linux-x64': '1.0.1' } },
      'node_modules/tool/node_modules/tool-linux-x64': known,
    })
  })
})
