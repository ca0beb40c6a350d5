import { AppError, unavailable } from '@caseway/kit/errors'
import type { Logger } from '@caseway/kit/observability'
import { KeySet } from '@caseway/kit/tokens'
import pRetry from 'p-retry'
import type { KeyRepository } from './key.repository.js'
import { currentKey, generateSigningKey, isDue, jwkOf, publishedAheadMs, type SigningKey } from './signing-key.js'

/** RFC 7517 5. */
export interface JsonWebKeySet {
  readonly keys: readonly ReturnType<typeof jwkOf>[]
}

interface KeyRingOptions {
  readonly keys: KeyRepository
  readonly rotationMs: number
  readonly accessTokenMs: number
  readonly log: Logger
}

/** Pauses between the tries to read the keys after they have changed. */
const retry = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 30_000 }

/** The keys of access tokens, the same in all copies of the service. */
export function keyRing({ keys, rotationMs, accessTokenMs, log }: KeyRingOptions) {
  let known: SigningKey[] = []
  let published: JsonWebKeySet = { keys: [] }
  const stopping = new AbortController()
  let listening: { stop(): Promise<void> } | undefined
  const keySet: KeySet = new (class extends KeySet {
    /** Another copy may have made it since. */
    override async lookUp(kid: string) {
      await load()
      return this.find(kid)
    }
  })()

  const load = async () => {
    known = await keys.list()
    const before = keySet.generation
    keySet.replace(new Map(known.map(({ kid, publicKey }) => [kid, publicKey])))
    // Made once for each change of the keys: every caller gets the same object.
    if (keySet.generation !== before) published = { keys: known.map(jwkOf) }
    return known
  }

  const add = async (signsFrom: Date) => {
    const expire = new Date(Number(signsFrom) + accessTokenMs + publishedAheadMs)
    await keys.add(await generateSigningKey(signsFrom), expire)
  }

  return {
    /** Where the database does not answer the keys are read as soon as it does: until then nobody signs in. */
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

    /** A new key where the newest has signed for as long as a key may. It is published before it signs. */
    async rotateWhenDue(): Promise<void> {
      if (!isDue(await load(), new Date(), rotationMs)) return
      await keys.exclusively(async () => {
        const present = await keys.list()
        if (isDue(present, new Date(), rotationMs)) await add(new Date(Date.now() + (present.length > 0 ? publishedAheadMs : 0)))
      })
      await load()
    },

    /** What this service itself verifies with. */
    keySet,

    /** The key that signs now. */
    current(): SigningKey {
      const key = currentKey(known, new Date())
      if (!key) throw unavailable()
      return key
    },

    /** RFC 7517 5. Read anew, so that no copy is behind another. */
    async jwks(): Promise<JsonWebKeySet> {
      await load()
      return published
    },

    /**
     * A new key that signs at once; verifiers fetch a key that they do not know.
     * @param revoke whether what the others have signed is good no more, as soon as a verifier has read the keys again: within a minute
     */
    async rotate({ revoke = false } = {}): Promise<void> {
      // Whoever cannot open the present keys would make one that no copy of the service could open.
      await load()
      await keys.exclusively(async () => (revoke ? keys.replaceAll(await generateSigningKey(new Date())) : add(new Date())))
      await load()
    },

    /**
     * Encrypts the keys with the present secret, where a previous one has encrypted them.
     * @returns how many
     */
    reseal: (): Promise<number> => keys.exclusively(() => keys.reseal()),
  }
}

export type KeyRing = ReturnType<typeof keyRing>
