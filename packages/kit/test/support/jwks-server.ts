import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import jwt from 'jsonwebtoken'

export const issuer = 'https://auth.test'

export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

export const signingKey = (kid: string): SigningKey => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) })

export const jwkOf = ({ kid, publicKey }: SigningKey) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })

/** The claims of an expert of office 7, valid for a minute; a claim that is `undefined` is omitted. */
export const claims = (over: Record<string, unknown> = {}): object => {
  const iat = Math.floor(Date.now() / 1000)
  const usual = { iss: issuer, aud: 'expert', sub: '41', customer_id: '7', role: 2, sid: 'session', jti: 'jti', iat, exp: iat + 60 }
  return Object.fromEntries(Object.entries({ ...usual, ...over }).filter(([, value]) => value !== undefined))
}

export const sign = (key: SigningKey, payload: object = claims(), options: jwt.SignOptions = {}) =>
  jwt.sign(payload, key.privateKey, { algorithm: 'RS256', keyid: key.kid, ...options })

/** Publishes keys like auth, and can be stopped, fail or hang. */
export class JwksServer {
  keys: SigningKey[] = []
  fetches = 0
  answer: 'keys' | 'error' | 'nonsense' | 'nothing' | 'hang' = 'keys'
  #server: Server | undefined
  #port = 0

  constructor(...keys: SigningKey[]) {
    this.keys = keys
  }

  get url() {
    return `http://127.0.0.1:${this.#port}/.well-known/jwks.json`
  }

  async start(): Promise<this> {
    const server = createServer((_, response) => {
      this.fetches += 1
      if (this.answer === 'hang') return
      const bodies = { keys: { keys: this.keys.map(jwkOf) }, error: {}, nonsense: 'what', nothing: { keys: [] } }
      response.writeHead(this.answer === 'error' ? 500 : 200, { connection: 'close' }).end(JSON.stringify(bodies[this.answer]))
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    if (server) await new Promise((resolve) => server.close(resolve))
  }
}
