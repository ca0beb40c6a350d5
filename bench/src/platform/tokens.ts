import { randomUUID } from 'node:crypto'
import { importPrivate } from '@caseway/auth/keys/signing-key'
import { createSecrets } from '@caseway/kit/secrets'
import jwt from 'jsonwebtoken'
import type { Databases } from './databases.js'

export interface Person {
  userId: number
  customerId: number
}

const expert = 2
const lifetimeSeconds = 3 * 3600

/** Signs tokens with auth's key: a thousand sign-ins would take a minute, and auth limits their rate. */
export async function tokenSigner(databases: Databases, authSecret: string) {
  const statement = 'SELECT kid, private_key FROM signing_keys WHERE signs_from <= now() ORDER BY signs_from DESC LIMIT 1'
  const [key] = await databases.auth.rows<{ kid: string; private_key: Buffer }>(statement)
  if (!key) throw new Error('auth has no key that signs.')
  const sealer = createSecrets('auth', { secret: authSecret, secretPrevious: [] }).sealer('signing-keys')
  const { privateKey } = importPrivate(sealer.open(key.private_key, key.kid))

  return ({ userId, customerId }: Person): string =>
    jwt.sign({ customer_id: String(customerId), role: expert, sid: randomUUID() }, privateKey, {
      ...{ algorithm: 'RS256', keyid: key.kid, issuer: 'caseway', audience: 'expert', subject: String(userId) },
      ...{ expiresIn: lifetimeSeconds, jwtid: randomUUID() },
    })
}
