import type { Audience, Role } from '@caseway/kit/caller'
import { httpClient } from '@caseway/testing'
import { type TestPlatform, testPlatform } from '@caseway/testing/accounting-platform'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { signInAsAnybody } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { type Cell, roleCells } from './support/role-table.js'

const { home, remove } = temporaryHome()
let platform: TestPlatform
let launcher: Launcher
let demo: Demo
const tokens = new Map<Role, string>()

beforeAll(async () => {
  platform = await testPlatform()
  launcher = launch(home, platform.variables)
  demo = await launcher.ready()
})
afterAll(async () => {
  await launcher?.stop()
  await platform?.stop()
  remove()
})

/** An unused id: with permission the answer is 404, without it 403. */
const nobodys = '9007199254740991'

const urlOf = (audience: Audience) => `${audience === 'expert' ? demo.base_url : demo.client_base_url}/rest`

/** The token of one session per role, and of a new session for the call that ends it. */
async function tokenFor({ role, path }: Cell): Promise<string> {
  if (path === '/rest/token') return signInAsAnybody(demo, role)
  const token = tokens.get(role) ?? (await signInAsAnybody(demo, role))
  tokens.set(role, token)
  return token
}

async function statusOf(cell: Cell): Promise<number> {
  const url = cell.path.replace('/rest', '').replace(/:\w+/g, nobodys)
  const token = await tokenFor(cell)
  if (url === '/event/stream') return statusOfStream(`${urlOf(cell.audience)}${url}`, token)
  const body = ['POST', 'PUT'].includes(cell.method) ? {} : undefined
  return (await httpClient(urlOf(cell.audience), token).request(cell.method, url, body)).status
}

/** The status of an endless answer. */
async function statusOfStream(url: string, token: string): Promise<number> {
  const stopping = new AbortController()
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: stopping.signal })
  stopping.abort()
  return status
}

const cells = roleCells()
const titled = cells.map((cell) => [`${cell.role} on ${cell.audience}: ${cell.method} ${cell.path}`, cell] as const)

describe('every cell of the role table', () => {
  it('is read', () => expect(cells.length).toBeGreaterThan(100))

  it.each(titled)('%s', async (_, cell) => {
    const status = await statusOf(cell)
    // 415: the role was checked, but an upload needs a multipart form.
    if (cell.allowed) expect([200, 201, 400, 404, 409, 415]).toContain(status)
    else expect(status).toBe(403)
  })
})
