import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { hostileContents, hostileNames } from './support/hostile-files.js'
import { type SignedIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: SignedIn
beforeAll(async () => {
  launcher = launch(home, { GATEWAY_REQUESTS_PER_MINUTE: '1000000' })
  demo = await launcher.ready()
  expert = await signInAs(demo, 'expert')
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const authorization = () => ({ authorization: `Bearer ${expert.token}` })

/** A multipart form byte by byte, without the escaping of a browser. */
function formOf(name: Buffer, type: string, content: Buffer) {
  const boundary = `x${randomUUID()}`
  const head = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`),
    ...[name, Buffer.from(`"\r\nContent-Type: ${type}\r\n\r\n`)],
  ])
  const body = Buffer.concat([head, content, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { method: 'POST', body, headers: { ...authorization(), 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

interface Uploaded {
  status: number
  id: number
}

async function upload(name: Buffer, type: string, content: Buffer): Promise<Uploaded> {
  const answer = await fetch(`${demo.base_url}/rest/common_file`, formOf(name, type, content))
  const { id = 0 } = (await answer.json()) as { id?: number }
  return { status: answer.status, id }
}

/** Downloads a file after its scan, which finds nothing. */
const download = (id: number) =>
  eventually(async () => {
    const answer = await fetch(`${demo.base_url}/rest/common_file/${id}`, { headers: authorization() })
    expect(answer.status).toBe(200)
    return { headers: answer.headers, content: await answer.bytes() }
  })

/** Every file of the installation, except those of PostgreSQL. */
const filesOfHome = () =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(home, join(parentPath, name)))
    .filter((path) => !path.startsWith('postgres/'))

/** The headers of every download. */
const promised = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
  'cache-control': expect.stringMatching(/private|no-store/),
  'content-disposition': expect.stringMatching(/^attachment(?:;|$)/),
}

/** The header names of the download of an ordinary file. */
let ordinary: string[]
beforeAll(async () => {
  const { id } = await upload(Buffer.from('letter.txt'), 'text/plain', Buffer.from('a letter'))
  ordinary = [...(await download(id)).headers.keys()]
})

describe('a hostile upload', () => {
  const content = Buffer.from('the content of a letter')
  let before: string[]
  beforeAll(() => {
    before = filesOfHome()
  })

  it('has at least 40 names', () => expect(hostileNames.length).toBeGreaterThanOrEqual(40))

  it.each(hostileNames)('named %j comes back as it was sent, or is refused', async (name) => {
    const { status, id } = await upload(Buffer.from(name), 'text/plain', content)
    expect([201, 400]).toContain(status)
    if (status === 400) return
    const { headers, content: received } = await download(id)
    expect(sha256(received)).toBe(sha256(content))
    expect(Object.fromEntries(headers)).toMatchObject(promised)
    expect([...headers.keys()]).toEqual(ordinary)
    const kept = (await expert.api.get<{ CommonFile: { name: string } }>(`/common_file/${id}?meta=1`)).body.CommonFile.name
    expect(kept).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]+$/u)
    expect(kept).not.toMatch(/^\.*$/)
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(255)
    expect(nameIn(headers.get('content-disposition'))).toBe(kept)
  })

  it.each(hostileContents)('that is $what is never rendered', async ({ name, type, content }) => {
    const { status, id } = await upload(Buffer.from(name), type, content)
    expect(status).toBe(201)
    const { headers, content: received } = await download(id)
    expect(sha256(received)).toBe(sha256(content))
    expect(Object.fromEntries(headers)).toMatchObject(promised)
    const part = await fetch(`${demo.base_url}/rest/common_file/${id}`, { headers: { ...authorization(), range: 'bytes=1-' } })
    expect(Object.fromEntries(part.headers)).toMatchObject(promised)
  })

  it('leaves nothing outside of the storage, and no name of its own in it', () => {
    const added = filesOfHome().filter((path) => !before.includes(path))
    expect(added.length).toBeGreaterThan(hostileContents.length)
    expect(added.filter((path) => !/^files\/([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}$/.test(path))).toEqual([])
  })
})

/** The name in a Content-Disposition (RFC 6266): `filename*` wins. */
function nameIn(disposition: string | null): string {
  const [, extended] = /filename\*=UTF-8''([^;]*)/.exec(disposition ?? '') ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/.exec(disposition ?? '') ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''
}
