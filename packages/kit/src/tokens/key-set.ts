import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../observability/index.js'
import { readJwks } from './jwks.js'

export interface JwksOptions {
  log?: Logger
  /** The interval of fetches, in milliseconds. Default 30,000, so that a withdrawn key is refused within a minute. */
  refreshMs?: number
  /** The minimum time between two fetches, in milliseconds; a token with an unknown key waits for it. Default 1,000. */
  coolDownMs?: number
  /** Timeout of a fetch, in milliseconds. Default 2,000. */
  timeoutMs?: number
}

type Keys = ReadonlyMap<string, KeyObject>

/** The public keys that verify tokens, by `kid`. */
export class KeySet {
  #keys: Keys
  /** Incremented when the keys change, so that caches of verified tokens can be cleared. */
  generation = 0

  constructor(keys: Keys = new Map()) {
    this.#keys = keys
  }

  /**
   * A key set that is fetched from a JWKS URL, again every `refreshMs`, and for every unknown key. While the URL does not answer, it keeps its keys.
   * @param url several URLs are copies of the same service; the first that answers is used
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

  /** Replaces all keys, for instance after a rotation. */
  replace(keys: Keys): void {
    const same = keys.size === this.#keys.size && [...keys].every(([kid, key]) => this.#keys.get(kid)?.equals(key))
    if (same) return
    this.#keys = keys
    this.generation += 1
  }

  /**
   * The key `kid`, fetching the set again where it is unknown; undefined where it does not exist.
   * @throws Error where the source cannot be reached
   */
  async lookUp(kid: string): Promise<KeyObject | undefined> {
    return this.find(kid)
  }

  /** Stops fetching. */
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
    // The running fetch may have begun before the key was published.
    if (!this.find(kid)) await this.refresh()
    return this.find(kid)
  }

  /** Fetches as soon as the cool-down allows. Concurrent calls share the fetch. */
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
    if (failure && !this.#failing) this.#options.log?.warn(failure, 'the keys that verify access tokens could not be fetched')
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
