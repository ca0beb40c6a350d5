import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Audience, type Id, type Role, roles } from '@caseway/kit/caller'
import { KeySet } from '@caseway/kit/tokens'
import jwt from 'jsonwebtoken'

export interface TokenOf {
  role: Role
  userId: Id
  /** Null for clients and technical accounts. */
  customerId?: Id | null
  audience?: Audience
  sessionId?: string
  /** Negative for an expired token. */
  expiresInSeconds?: number
  /** Claims that are added to the derived ones, or replace them. */
  claims?: Record<string, unknown>
}

/** A fake of auth as an issuer: signs tokens, and publishes the keys that verify them. */
export interface TestIssuer {
  issuer: string
  /** The URL of the JWKS (RFC 7517). */
  jwksUrl: string
  /** The same keys without HTTP. */
  keys: KeySet
  tokenFor(token: TokenOf): string
  stop(): Promise<void>
}

export const defaultIssuer = 'caseway-test'

const keyId = 'test'

/** @param issuer the claim `iss` of the tokens */
export async function testIssuer(issuer = defaultIssuer): Promise<TestIssuer> {
  const privateKey = createPrivateKey(process.env.CASEWAY_TEST_PRIVATE_KEY ?? missingKey())
  const publicKey = createPublicKey(privateKey)
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] }
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(jwks)))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

  return {
    issuer,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`,
    keys: new KeySet(new Map([[keyId, publicKey]])),
    tokenFor({
      role,
      userId,
      customerId = null,
      audience = role === 'client' ? 'client' : 'expert',
      sessionId,
      expiresInSeconds = 900,
      claims,
    }) {
      const nowSeconds = Math.floor(Date.now() / 1000)
      const payload = {
        ...{ iss: issuer, aud: audience, sub: String(userId), customer_id: customerId === null ? null : String(customerId) },
        ...{
          role: roles.indexOf(role),
          sid: sessionId ?? randomUUID(),
          jti: randomUUID(),
          iat: nowSeconds,
          exp: nowSeconds + expiresInSeconds,
        },
        ...claims,
      }
      return jwt.sign(payload, privateKey, { algorithm: 'RS256', header: { alg: 'RS256', typ: 'at+jwt', kid: keyId } })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const missingKey = () => {
  throw new Error('The key of the tests is made by packages/testing/setup.mjs, the globalSetup of jest.')
}
