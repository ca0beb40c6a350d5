import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@caseway/install/free-port.mjs'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { signIn, signInAs } from './support/people.js'
import { demoOf, killAll, type Launcher, launch, postgresOf, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
const running: Launcher[] = []
const start = (env?: Record<string, string>, folder = home) => {
  const launcher = launch(folder, env)
  running.push(launcher)
  return launcher
}
afterEach(() => Promise.all(running.splice(0).map((launcher) => launcher.stop())))
afterAll(remove)

/** Checks that the launcher has ended with 1 and one sentence, without a stack trace; returns the sentence. */
async function refusal(launcher: Launcher): Promise<string> {
  const { code, output } = await launcher.ended
  expect(code).toBe(1)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output).not.toMatch(/\n\s+at |Error:/)
  return output.trim()
}

/** Waits for a file that a start creates in its folder. */
const appears = (pattern: string) => eventually(() => expect(globSync(pattern)).not.toEqual([]), { timeoutMs: 20_000, everyMs: 5 })

const account = expect.objectContaining({ user_id: expect.any(String), username: expect.any(String), password: expect.any(String) })
const office = {
  customer_id: expect.any(String),
  name: expect.any(String),
  time_zone: expect.any(String),
  accounts: { administrator: account, expert: account, specialist: account, trainee: account },
  technical: { client_id: expect.any(String), client_secret: expect.any(String) },
}

describe('the launcher', () => {
  it('brings up the platform with two offices, and says how to use it', async () => {
    const launcher = start()
    const demo = await launcher.ready()
    expect(demo).toEqual({
      ...{
        base_url: expect.any(String),
        client_base_url: expect.any(String),
        metrics_url: expect.any(String),
        client_id: expect.any(String),
      },
      offices: [office, office],
      clients: [account, account],
    })
    const [first, second] = demo.offices.map(({ customer_id }) => customer_id)
    expect(demo.clients.map(({ customer_ids }) => customer_ids)).toEqual([[first, second], [first]])
    expect(demo.offices[0]?.time_zone).not.toBe(demo.offices[1]?.time_zone)
    expect(statSync(join(home, 'demo.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600)

    const paste = /\n(token=[\s\S]*?echo)\n/.exec(launcher.output())?.[1] ?? ''
    const { stdout } = spawnSync('sh', ['-c', paste], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ Counter: { Issue: { unassigned: expect.any(Number) } } })
  })

  it('keeps the data from start to start', async () => {
    const before = demoOf(home)
    const first = start()
    const expert = await signInAs(await first.ready(), 'expert')
    const { body } = await expert.api.post<{ id: number }>('/tag', { Tag: { name: 'Kept' } })
    await first.stop()

    const demo = await start().ready()
    expect(demo.offices).toEqual(before.offices)
    const again = await signInAs(demo, 'expert')
    expect((await again.api.get(`/tag/${body.id}`)).body).toMatchObject({ Tag: { name: 'Kept' } })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops everything on %s', async (signal) => {
    const launcher = start()
    const demo = await launcher.ready()
    const postgres = postgresOf(home) ?? 0
    const startedAt = Date.now()
    launcher.process.kill(signal)
    // Both signals, as after Ctrl-C in a terminal under npm.
    launcher.process.kill(signal)
    expect((await launcher.ended).code).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(20_000)
    expect(isAlive(postgres)).toBe(false)
    await expect(fetch(demo.base_url)).rejects.toThrow()
  })

  it('starts again by itself after everything was killed', async () => {
    const launcher = start()
    await launcher.ready()
    await killAll(launcher, home)
    const demo = await start().ready()
    expect((await signInAs(demo, 'trainee')).token).toBeTruthy()
  })

  it('holds its ports from the first moment', async () => {
    const port = await freePort()
    const launcher = start({ HTTP_PORT: String(port) })
    await appears(join(home, 'postgres/postmaster.pid'))
    await expect(once(createServer().listen(port, '127.0.0.1'), 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect((await launcher.ready()).base_url).toBe(`http://127.0.0.1:${port}`)
  })

  it('starts after a first start that was killed at any moment', async () => {
    const { home: fresh, remove: removeFresh } = temporaryHome()
    for (const sign of ['postgres.unfinished-*', 'postgres', 'postgres/postmaster.pid']) {
      const launcher = start({}, fresh)
      await appears(join(fresh, sign))
      await killAll(launcher, fresh)
    }
    const demo = await start({}, fresh).ready()
    expect((await signInAs(demo, 'expert')).token).toBeTruthy()
    await Promise.all(running.splice(0).map((launcher) => launcher.stop()))
    removeFresh()
  })

  it('gives new passwords when their file is lost', async () => {
    const before = demoOf(home)
    rmSync(join(home, 'demo.json'))
    const demo = await start().ready()
    expect(demo.offices.map(({ customer_id }) => customer_id)).toEqual(before.offices.map(({ customer_id }) => customer_id))
    expect((await signInAs(demo, 'expert')).id).toBe(before.offices[0]?.accounts.expert.user_id)
    const old = before.offices[0]?.accounts.expert
    if (!old) throw new Error('The demo had no expert.')
    await expect(signIn(demo.base_url, demo.client_id, old)).rejects.toThrow('cannot sign in: 400')
  })
})

describe('one sentence says', () => {
  it('that a platform already runs from the folder', async () => {
    const launcher = start()
    await launcher.ready()
    const logOf = () => readFileSync(join(home, 'caseway.log'), 'utf8')
    const written = logOf()
    expect(await refusal(start())).toBe(`Caseway is already running from this folder (process ${launcher.process.pid}).`)
    expect((await fetch(`${demoOf(home).base_url}/healthz`)).status).toBe(200)
    expect(logOf().startsWith(written)).toBe(true)
  })

  it('which port is taken, and which variable changes it', async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as { port: number }
    for (const variable of ['HTTP_PORT', 'CLIENT_HTTP_PORT', 'METRICS_PORT']) {
      const sentence = await refusal(start({ [variable]: String(port) }))
      expect(sentence).toBe(`Port ${port} is taken by another program: choose another one with the variable ${variable}.`)
    }
    server.close()
  })

  it('what is wrong with a port', async () => {
    expect(await refusal(start({ HTTP_PORT: '4000', METRICS_PORT: '4000' }))).toBe(
      'HTTP_PORT and METRICS_PORT are both 4000: give each a port of its own.',
    )
    expect(await refusal(start({ HTTP_PORT: 'door' }))).toContain('HTTP_PORT must be')
  })

  it('what is wrong with the variables of all services', async () => {
    const wrong = { MAIL_FETCH_INTERVAL_SECONDS: 'x', FILES_MAX_BYTES: 'x', PARTNER_TIMEOUT_MS: 'x', GATEWAY_REQUESTS_PER_MINUTE: 'x' }
    const sentences = await refusal(start(wrong))
    for (const name of Object.keys(wrong)) expect(sentences.split(`${name} must be `)).toHaveLength(2)
  })

  it.each(['/dev/null', '/dev/null/inside', '/proc', '/proc/inside'])(
    'that nothing can be written to the data folder %s',
    async (folder) => {
      expect(await refusal(start({}, folder))).toBe(
        `The data folder ${folder} cannot be used by this user: set CASEWAY_HOME to another one.`,
      )
    },
  )

  it('that the log cannot be opened', async () => {
    const { home: fresh, remove: removeFresh } = temporaryHome()
    mkdirSync(join(fresh, 'caseway.log'))
    expect(await refusal(start({}, fresh))).toContain(`open '${fresh}/caseway.log'. Details`)
    removeFresh()
  })

  it.each([
    ['postgres/PG_VERSION', 'put back a copy'],
    ['secrets.json', 'put it back'],
  ])('that %s is missing', async (name, way) => {
    renameSync(join(home, name), join(home, 'aside'))
    const sentence = await refusal(start())
    renameSync(join(home, 'aside'), join(home, name))
    expect(sentence).toBe(`The data in ${home} are damaged (${name} is missing): ${way}, or delete the folder for a fresh start.`)
  })

  it('that PostgreSQL cannot open the data', async () => {
    renameSync(join(home, 'postgres/global'), join(home, 'aside'))
    const sentence = await refusal(start())
    renameSync(join(home, 'aside'), join(home, 'postgres/global'))
    expect(sentence).toMatch(/^The data in .* cannot be opened\. PostgreSQL did not start: /)
  })

  it('what failed after PostgreSQL had started', async () => {
    renameSync(join(home, 'demo.json'), join(home, 'aside'))
    mkdirSync(join(home, 'demo.json'))
    const sentence = await refusal(start())
    rmSync(join(home, 'demo.json'), { recursive: true })
    renameSync(join(home, 'aside'), join(home, 'demo.json'))
    expect(sentence).toContain('EISDIR')
  })

  it('that the Node is too old', () => {
    const start = join(import.meta.dirname, '../deploy/local/start.mjs')
    const pretend = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.0.0'}})"
    const { status, stderr } = spawnSync(process.execPath, ['--import', pretend, start], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'Caseway runs on the Node that its packages bring: start it with `npm start`.\n',
    })
  })
})
