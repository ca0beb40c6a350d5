import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { run } from '../deploy/caseway/src/run.js'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

/** The documented maximum of `key rotate --revoke`. */
const minuteMs = 60_000

const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid

it('the gateway refuses tokens of a revoked key within a minute, and takes those of the new one at once', async () => {
  const before = await signInAs(demo, 'expert')
  expect((await before.api.get('/counter')).status).toBe(200)

  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  expect(await run(['key', 'rotate', '--revoke', '--json'], { env: { CASEWAY_HOME: home }, out: print, err: print })).toBe(0)
  const { kid } = JSON.parse(printed.join('\n')) as { kid: string }

  const after = await eventually(async () => {
    const signedIn = await signInAs(demo, 'expert')
    expect(kidOf(signedIn.token)).toBe(kid)
    return signedIn
  })
  expect((await after.api.get('/counter')).status).toBe(200)
  await eventually(async () => expect((await before.api.get('/counter')).status).toBe(401), { timeoutMs: minuteMs })
  expect((await after.api.get('/counter')).status).toBe(200)
}, 90_000)
