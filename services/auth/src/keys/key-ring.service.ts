import { unavailable } from '@caseway/kit/errors'
import type { Logger } from '@caseway/kit/observability'
import { KeySet } from '@caseway/kit/tokens'
import type { KeyRepository } from './key.repository.js'
import { currentKey, generateSigningKey, isDue, jwkOf, publishedAheadMs, type SigningKey } from './signing-key.js'

interface KeyRingOptions {
  readonly keys: KeyRepository
  readonly rotationMs: number
  readonly accessTokenMs: number
  readonly log: Logger
}

const lookEveryMs = 30_000

/** The keys of access tokens, the same in all copies of the service. */
export function keyRing({ keys, rotationMs, accessTokenMs, log }: KeyRingOptions) {
  let known: SigningKey[] = []
  let timer: NodeJS.Timeout | undefined
  const keySet: KeySet = new (class extends KeySet {
    /** Another copy may have made it since. */
    override async lookUp(kid: string) {
      await load()
      return this.find(kid)
    }
  })()

  const load = async () => {
    known = await keys.list()
    keySet.replace(new Map(known.map(({ kid, publicKey }) => [kid, publicKey])))
    return known
  }

  const add = async (signsFrom: Date) => {
    const expire = new Date(Number(signsFrom) + accessTokenMs + publishedAheadMs)
    await keys.add(await generateSigningKey(signsFrom), expire)
  }

  const rotateWhenDue = async () => {
    await keys.exclusively(async () => {
      const present = await keys.list()
      if (isDue(present, new Date(), rotationMs)) await add(new Date(Date.now() + (present.length > 0 ? publishedAheadMs : 0)))
    })
    await load()
  }

  const look = () =>
    load()
      .then((present) => (isDue(present, new Date(), rotationMs) ? rotateWhenDue() : undefined))
      .catch((err: unknown) => log.warn({ err }, 'the signing keys could not be read'))

  return {
    async start() {
      await rotateWhenDue()
      timer = setInterval(look, lookEveryMs).unref()
    },
    stop: () => clearInterval(timer),

    /** What this service itself verifies with. */
    keySet,

    /** The key that signs now. */
    current(): SigningKey {
      const key = currentKey(known, new Date())
      if (!key) throw unavailable()
      return key
    },

    /** RFC 7517 5. Read anew, so that no copy is behind another. */
    jwks: async () => ({ keys: (await load()).map(jwkOf) }),

    /** A new key that signs at once; verifiers fetch a key that they do not know. */
    async rotate(): Promise<void> {
      // Whoever cannot open the present keys would make one that no copy of the service could open.
      await load()
      await keys.exclusively(() => add(new Date()))
      await load()
    },
  }
}

export type KeyRing = ReturnType<typeof keyRing>
