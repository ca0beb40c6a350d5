import { ConfigError } from '@caseway/kit/config'
import { stopOnSignals } from '@caseway/kit/lifecycle'
import { createLog, type Logger, logFile } from '@caseway/kit/observability'
import { releaseStartMemory } from '@caseway/kit/process'
import { type LocalConfig, localConfig } from './config.js'
import type { Demo } from './demo/demo-file.js'
import { scannerSentence } from './files.js'
import { type Home, openHome } from './home.js'
import { acquireLock } from './lock.js'
import { showLinks } from './mails.js'
import { Problem } from './problem.js'
import { requireUsable } from './settings.js'
import { welcome } from './welcome.js'

export interface PlatformOptions {
  config: LocalConfig
  home: Home
  /** Releases the lock of the home folder. */
  unlock(): void
  logOf: (service: string) => Logger
  /** Called when a part of the platform has ended unexpectedly. */
  onFailure(error: unknown): void
}

export interface Platform {
  /** Resolves when everything runs; with undefined if it was stopped before. */
  start(): Promise<Demo | undefined>
  stop(): Promise<void>
}

/** Runs a platform until a signal, or prints in one sentence why it cannot run. */
export async function runLauncher(create: (options: PlatformOptions) => Platform): Promise<void> {
  try {
    const config = localConfig.read(process.env)
    const home = await openHome(config.casewayHome)
    requireUsable(process.env)
    // The lock comes first, because opening the log truncates it, and another platform may be writing to it.
    const unlock = await acquireLock(home.lock)
    const destination = logFile(home.log)
    const logOf = (service: string) => createLog({ service, level: config.logLevel, destination })
    const platform = create({ config, home, unlock, logOf, onFailure: exitWithError })
    stopOnSignals(platform.stop, { log: logOf('local'), signals: ['SIGINT', 'SIGTERM', 'SIGHUP'] })
    const demo = await platform.start()
    // A signal arrived during the start; its handler ends the process.
    if (!demo) return
    showLinks(home, console.log)
    console.log(welcome(demo, { home: home.path, seconds: process.uptime(), scanner: scannerSentence(process.env) }))
    await releaseStartMemory()
  } catch (error) {
    exitWithError(error)
  }
}

function exitWithError(error: unknown): never {
  console.error(sentence(error))
  process.exit(1)
}

function sentence(error: unknown): string {
  if (error instanceof Problem) return error.message
  if (error instanceof ConfigError) return error.problems.join(' ')
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return `Caseway could not start: ${reason.replace(/\.$/, '')}. Details are in the log.`
}
