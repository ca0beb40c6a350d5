import { AppError, unavailable } from '@caseway/kit/errors'
import type { Logger } from '@caseway/kit/observability'
import { KeySet } from '@caseway/kit/tokens'
import pRetry from 'p-retry'
import type { KeyRepository } from './key.repository.js'
import { currentKey, generateSigningKey, isDue, jwkOf, publishedAheadMs, type SigningKey } from './signing-key.js'

/** A JWK set (RFC 7517 5). */
export interface JsonWebKeySet {
  readonly keys: readonly ReturnType<typeof jwkOf>[]
}

interface KeyRingOptions {
  readonly keys: KeyRepository
  readonly rotationMs: number
  readonly accessTokenMs: number
  readonly log: Logger
}

/** The pauses between attempts to read the keys, in milliseconds. */
const retry = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 30_000 }

/** The signing keys of access tokens, which all copies of the service share. */
export function keyRing({ keys, rotationMs, accessTokenMs, log }: KeyRingOptions) {
  let known: SigningKey[] = []
  let published: JsonWebKeySet = { keys: [] }
  const stopping = new AbortController()
  let listening: { stop(): Promise<void> } | undefined
  const keySet: KeySet = new (class extends KeySet {
    /** Reads the keys again, because another copy may have made this one since. */
    override async lookUp(kid: string) {
      await load()
      return this.find(kid)
    }
  })()

  const load = async () => {
    known = await keys.list()
    const before = keySet.generation
    keySet.replace(new Map(known.map(({ kid, publicKey }) => [kid, publicKey])))
    // Built once for each change of the keys, so that all requests share one object.
    if (keySet.generation !== before) published = { keys: known.map(jwkOf) }
    return known
  }

  const add = async (signsFrom: Date) => {
    const expire = new Date(Number(signsFrom) + accessTokenMs + publishedAheadMs)
    await keys.add(await generateSigningKey(signsFrom), expire)
  }

  return {
    /** Loads the keys, and again after each change. While the database does not answer it is retried in the background, and nobody can sign in. */
    async start() {
      const onFailedAttempt = ({ error }: { error: Error }) => log.warn({ err: error }, 'the signing keys could not be read')
      const refresh = () =>
        pRetry(() => this.rotateWhenDue(), { ...retry, signal: stopping.signal, onFailedAttempt }).catch(() => undefined)
      listening = await keys.onChange(() => void refresh())
      await this.rotateWhenDue().catch((error) => {
        if (!(error instanceof AppError && error.kind === 'unavailable')) throw error
        void refresh()
      })
    },
    async stop() {
      stopping.abort()
      await listening?.stop()
    },

    /** Makes a new key if the newest has signed for the rotation period. It is published before it signs. */
    async rotateWhenDue(): Promise<void> {
      if (!isDue(await load(), new Date(), rotationMs)) return
      await keys.exclusively(async () => {
        const present = await keys.list()
        if (isDue(present, new Date(), rotationMs)) await add(new Date(Date.now() + (present.length > 0 ? publishedAheadMs : 0)))
      })
      await load()
    },

    /** The public keys by which this service verifies tokens. */
    keySet,

    /** The key that signs now. @throws AppError `unavailable` while no key is loaded */
    current(): SigningKey {
      const key = currentKey(known, new Date())
      if (!key) throw unavailable()
      return key
    },

    /** The public keys (RFC 7517 5). They are read from the database, so that no copy answers with outdated ones. */
    async jwks(): Promise<JsonWebKeySet> {
      await load()
      return published
    },

    /**
     * Makes a new key that signs at once; verifiers fetch a key that they do not know.
     * @param revoke whether the tokens of all other keys are refused, as soon as a verifier has read the keys again: within a minute
     */
    async rotate({ revoke = false } = {}): Promise<void> {
      // Throws if this copy cannot decrypt the present keys: its secret is not that of the other copies, and they could not decrypt its key.
      await load()
      await keys.exclusively(async () => (revoke ? keys.replaceAll(await generateSigningKey(new Date())) : add(new Date())))
      await load()
    },

    /** Encrypts the keys that a previous secret has encrypted with the present one. @returns how many */
    reseal: (): Promise<number> => keys.exclusively(() => keys.reseal()),
  }
}

export type KeyRing = ReturnType<typeof keyRing>
