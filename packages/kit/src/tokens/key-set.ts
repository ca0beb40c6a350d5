import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../observability/index.js'
import { readJwks } from './jwks.js'

export interface JwksOptions {
  log?: Logger
  /** Default 30 seconds: a key that is withdrawn is refused within a minute. */
  refreshMs?: number
  /** The least time between two fetches; an unknown key waits for it. Default 1 second. */
  coolDownMs?: number
  /** Default 2 seconds. */
  timeoutMs?: number
}

type Keys = ReadonlyMap<string, KeyObject>

/** The public keys that tokens may be signed with, by `kid`. */
export class KeySet {
  #keys: Keys
  /** Grows when the keys change: what was derived from the old ones is void. */
  generation = 0

  constructor(keys: Keys = new Map()) {
    this.#keys = keys
  }

  /**
   * A set that is fetched, and fetched again every 30 seconds and for every unknown key. Keeps what it has while the address is down.
   * @param url several are copies of one service: whichever answers first is believed
   */
  static fromJwks(url: string | readonly string[], options: JwksOptions = {}): FetchedKeySet {
    return new FetchedKeySet([url].flat(), options)
  }

  get size(): number {
    return this.#keys.size
  }

  find(kid: string): KeyObject | undefined {
    return this.#keys.get(kid)
  }

  /** For the owner of the keys, who rotates them. */
  replace(keys: Keys): void {
    const same = keys.size === this.#keys.size && [...keys].every(([kid, key]) => this.#keys.get(kid)?.equals(key))
    if (same) return
    this.#keys = keys
    this.generation += 1
  }

  /**
   * The key `kid`, when it takes asking the source of the keys to know.
   * @throws when the source cannot be reached
   */
  async lookUp(kid: string): Promise<KeyObject | undefined> {
    return this.find(kid)
  }

  /** Ends what keeps the set up to date. */
  stop(): void {}
}

class FetchedKeySet extends KeySet {
  readonly #urls: readonly string[]
  readonly #options: Required<Omit<JwksOptions, 'log'>> & { log: Logger | undefined }
  readonly #stopped = new AbortController()
  #nextFetchAt = 0
  #current: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #failing = false

  constructor(urls: readonly string[], { log, refreshMs = 30_000, coolDownMs = 1_000, timeoutMs = 2_000 }: JwksOptions) {
    super()
    this.#urls = urls
    this.#options = { log, refreshMs, coolDownMs, timeoutMs }
    void this.#keepFresh()
  }

  override async lookUp(kid: string): Promise<KeyObject | undefined> {
    await this.#current
    // That fetch may have been under way before the key was published.
    if (!this.find(kid)) await this.refresh()
    return this.find(kid)
  }

  /** Fetches as soon as the cool-down allows. Whoever waits for that shares the fetch. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#afterCoolDown()
    return this.#waiting
  }

  override stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
  }

  async #afterCoolDown(): Promise<void> {
    await this.#current.catch(() => {})
    await pause(Math.max(0, this.#nextFetchAt - Date.now()), undefined, { signal: this.#stopped.signal })
    this.#waiting = undefined
    this.#nextFetchAt = Date.now() + this.#options.coolDownMs
    this.#current = this.#fetch()
    return this.#current
  }

  async #fetch(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.#options.timeoutMs), this.#stopped.signal])
    this.replace(await Promise.any(this.#urls.map((url) => fetchKeys(url, signal))))
  }

  async #keepFresh(): Promise<void> {
    const failure = await this.refresh().then(
      () => undefined,
      (error: unknown) => ({ err: error }),
    )
    if (this.#stopped.signal.aborted) return
    if (failure && !this.#failing) this.#options.log?.warn(failure, 'the keys of tokens could not be fetched')
    this.#failing = failure !== undefined
    this.#timer = setTimeout(() => void this.#keepFresh(), failure ? this.#options.coolDownMs : this.#options.refreshMs).unref()
  }
}

async function fetchKeys(url: string, signal: AbortSignal): Promise<Keys> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the key set answered ${response.status}`)
  return readJwks(await response.json())
}

export type { FetchedKeySet }
