import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { AppError, conflict } from '@caseway/kit/errors'

/** First-party: our frontends, which cannot keep a secret. Technical: an external platform, which authenticates with one. */
export type ApplicationKind = 'first_party' | 'technical'

export interface Application {
  readonly id: Id
  readonly clientId: string
  readonly kind: ApplicationKind
  readonly secretHash: Uint8Array | null
}

export const applicationExists = (clientId: string) => conflict('APPLICATION_EXISTS', `There is an application ${clientId} already.`)

export const noSuchApplication = (clientId: string) =>
  new AppError('not-found', 'APPLICATION_NOT_FOUND', `There is no application ${clientId}.`)

export const applicationWithoutSecret = (clientId: string) =>
  conflict('APPLICATION_WITHOUT_SECRET', `${clientId} is a frontend, which can keep no secret.`)

export const randomSecret = () => randomBytes(32).toString('base64url')

/** A fast hash suffices, because a secret is 256 random bits. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()

export const hasSecret = ({ secretHash }: Application, secret: string): boolean =>
  secretHash !== null && timingSafeEqual(secretHash, hashSecret(secret))
