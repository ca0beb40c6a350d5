import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { rowsOf } from '../support/databases.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

/** `CHAOS=long` uses the numbers of the acceptance test. */
const kills = process.env.CHAOS === 'long' ? 50 : 4
const senders = 4

const { home, remove } = temporaryHome()
let ports: Record<string, string> = {}
let launcher: Launcher
let demo: Demo
let expert: SignedIn

async function start(): Promise<void> {
  launcher = launch(home, { ...ports, GATEWAY_REQUESTS_PER_MINUTE: '1000000' })
  demo = await launcher.ready()
  ports = { HTTP_PORT: new URL(demo.base_url).port, CLIENT_HTTP_PORT: new URL(demo.client_base_url).port }
  expert = await signInAs(demo, 'expert')
}
beforeAll(start)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** The ids of acknowledged uploads (201), with the hashes of their content. */
const acknowledged = new Map<string, string>()
const sent = new Set<string>()

/** Uploads one file after the other until the platform is down. */
async function uploadUntilGone({ api }: SignedIn): Promise<void> {
  for (;;) {
    const content = randomBytes(1 + Math.floor(Math.random() * 3_000_000))
    const hash = sha256(content)
    sent.add(hash)
    const form = new FormData()
    form.set('file', new Blob([content]), `${hash}.bin`)
    const answer = await api.post<{ id: number }>('/common_file', form).catch(() => undefined)
    if (!answer) return
    if (answer.status === 201) acknowledged.set(String(answer.body.id), hash)
    else expect(answer.status).toBe(503)
  }
}

const rows = () =>
  rowsOf<{ id: string; hash: string; key: string }>(
    home,
    'files',
    "SELECT id::text, encode(sha256, 'hex') AS hash, blob_key AS key FROM common_files",
  )

const storage = join(home, 'files')
const blobs = () => readdirSync(storage, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

describe(`a platform that is killed ${kills} times under uploads`, () => {
  beforeAll(async () => {
    for (let killed = 0; killed < kills; killed++) {
      const uploads = Array.from({ length: senders }, () => uploadUntilGone(expert))
      await pause(500 + Math.random() * 1_000)
      await launcher.kill()
      await Promise.all(uploads)
      await start()
    }
  }, 60_000 * kills)

  it('has every file that it acknowledged, byte for byte', async () => {
    expect(acknowledged.size).toBeGreaterThan(kills)
    for (const [id, hash] of acknowledged) {
      // A killed scan is repeated when its lease has expired.
      await eventually(
        async () => {
          const answer = await fetch(`${demo.base_url}/rest/common_file/${id}`, { headers: { authorization: `Bearer ${expert.token}` } })
          expect([id, answer.status, sha256(await answer.bytes())]).toEqual([id, 200, hash])
        },
        { timeoutMs: 20_000 },
      )
    }
  }, 90_000)

  it('has records only of complete uploads whose bytes exist', async () => {
    const names = new Set(blobs().map(({ name }) => name))
    const records = await rows()
    expect(records.filter(({ hash, key }) => !sent.has(hash) || !names.has(key))).toEqual([])
  })

  it('removes bytes without a record', async () => {
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const { parentPath, name } of blobs()) await utimes(join(parentPath, name), longAgo, longAgo)
    // A new schedule ticks immediately.
    await rowsOf(home, 'files', "DELETE FROM kit.schedule WHERE name = 'sweep'")
    await launcher.kill()
    await start()
    const known = new Set((await rows()).map(({ key }) => key))
    await eventually(() => expect(blobs().filter(({ name }) => !known.has(name))).toEqual([]), { timeoutMs: 20_000 })
    expect(blobs()).toHaveLength(known.size)
  })
})
