import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

const readyTimeoutMs = 120_000
const signals = ['SIGINT', 'SIGTERM'] as const
/** A few callers send the load of thousands. */
const noLimits = { GATEWAY_REQUESTS_PER_MINUTE: '1000000000', GATEWAY_REQUESTS_AT_ONCE: '1000000' }
/** The client address is taken from a header, so that one machine can be many visitors. */
const manyAddresses = { GATEWAY_TRUSTED_PROXIES: '1' }
const freePorts = { HTTP_PORT: '0', CLIENT_HTTP_PORT: '0', METRICS_PORT: '0' }

/** Creates a data folder that is removed when this process ends. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'caseway-bench-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return home
}

/** Reads a JSON file of the launcher's folder. */
export const readHome = (home: string, file: string) => JSON.parse(readFileSync(join(home, file), 'utf8'))

/**
 * Runs a script of the project's package.json that starts a platform; resolves when the platform is ready.
 * @returns a function that stops it, and the duration of the start in milliseconds
 */
export async function launch(script: 'start' | 'start:distributed', home: string, variables: Readonly<Record<string, string>> = {}) {
  const startedAt = performance.now()
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_ENV: 'production', CASEWAY_HOME: home, ...freePorts, ...noLimits, ...manyAddresses, ...variables }
  const child = spawn('npm', ['run', '--silent', script], { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let output = ''
  const isReady = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The platform is not ready: ${output}`)), readyTimeoutMs)
    const listen = (text: string) => {
      output += text
      if (!output.includes('Caseway is ready')) return
      clearTimeout(late)
      resolve()
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen)
    void ended.then(() => reject(new Error(`The platform ended: ${output}`)))
  })
  const stop = async () => {
    for (const signal of signals) process.off(signal, abortLaunch)
    // npm does not forward every signal, so the launcher, whose pid is in the lock, is signalled directly.
    if (existsSync(join(home, 'lock.json'))) process.kill(readHome(home, 'lock.json').pid, 'SIGTERM')
    else child.kill('SIGTERM')
    await ended
  }
  const abortLaunch = () => void stop().finally(() => process.exit(1))
  for (const signal of signals) process.once(signal, abortLaunch)
  try {
    await isReady
  } catch (error) {
    await stop()
    throw error
  }
  return { stop, readyMs: performance.now() - startedAt }
}
