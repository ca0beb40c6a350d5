import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from '@jest/globals'

const engine = Buffer.from('#!/bin/sh\necho schema-engine-cli test\n')
const zipped = gzipSync(engine)
const module = new URL('../official-engine.mjs', import.meta.url).href
const failure = () => join(folder, 'engines/download-failed')
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

let folder: string
let mirror: Server
let requested: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseway-engine-'))
  requested = []
})
afterEach(() => {
  mirror.closeAllConnections()
  mirror.close()
  rmSync(folder, { recursive: true })
})

async function serve(listener: RequestListener): Promise<void> {
  mirror = createServer((request, response) => {
    requested.push(request.url ?? '')
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(mirror, 'listening')
}

/** A fake of Prisma's download server, with the right checksum by default. */
const published =
  (checksum = sha256(zipped)): RequestListener =>
  ({ url = '' }, response) => {
    if (url.endsWith('.gz.sha256')) return response.end(checksum)
    if (url.endsWith('.sha256')) return response.end(sha256(engine))
    return response.end(zipped)
  }

/** Runs `officialEngine` in a process of its own, with caches of its own. */
async function officialEngine(stallMs = 20_000): Promise<{ path: string; said: string }> {
  const script = `import { mkdirSync } from 'node:fs'
    import { officialEngine } from '${module}'
    mkdirSync('engines', { recursive: true })
    process.stdout.write(String(await officialEngine({ folder: process.cwd() + '/engines', stallMs: ${stallMs} })), () => process.exit())`
  const { port } = mirror.address() as AddressInfo
  const env = { ...process.env, PRISMA_ENGINES_MIRROR: `http://127.0.0.1:${port}`, XDG_CACHE_HOME: join(folder, 'cache') }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, env })
  const [path, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { path, said }
}

it("Prisma's engine is downloaded once", async () => {
  await serve(published())
  const { path } = await officialEngine()
  expect(readFileSync(path)).toEqual(engine)
  const { length } = requested
  expect(length).toBeGreaterThan(0)
  expect((await officialEngine()).path).toBe(path)
  expect(requested).toHaveLength(length)
})

it('a download with a wrong checksum is not used', async () => {
  await serve(published('0'.repeat(64)))
  const { path, said } = await officialEngine()
  expect(path).toBe('undefined')
  expect(said).toContain('sha256 checksum')
  expect(readdirSync(join(folder, 'engines'))).toEqual(['download-failed'])
})

it('a download that stalls is aborted, and retried after a day', async () => {
  await serve(() => undefined)
  const { path, said } = await officialEngine(200)
  expect(path).toBe('undefined')
  expect(said).toContain('nothing received for 200 ms')
  const { length } = requested
  expect(await officialEngine(200)).toEqual({ path: 'undefined', said: '' })
  expect(requested).toHaveLength(length)

  mirror.removeAllListeners('request').on('request', published())
  const yesterday = Date.now() / 1000 - 86_401
  utimesSync(failure(), yesterday, yesterday)
  expect(readFileSync((await officialEngine()).path)).toEqual(engine)
  expect(existsSync(failure())).toBe(false)
})
