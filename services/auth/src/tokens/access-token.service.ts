import { randomUUID } from 'node:crypto'
import { roles } from '@caseway/kit/caller'
import jwt from 'jsonwebtoken'
import type { Account } from '../accounts/account.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { Permission } from '../roles/right.js'

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string | null
  readonly account: Holder
  readonly ofRole: readonly Permission[]
  readonly ofUser: readonly Permission[]
}

/** The account for which an access token is issued. */
export type Holder = Pick<Account, 'audience' | 'userId' | 'customerId' | 'role' | 'userRole' | 'passwordExpired' | 'secondFactor'>

export interface AccessTokenSettings {
  readonly issuer: string
  readonly accessTokenMs: number
}

interface Parts {
  readonly ring: Pick<KeyRing, 'current'>
  readonly permissionsOf: (account: Account) => Promise<Pick<IssuedToken, 'ofRole' | 'ofUser'>>
  readonly settings: AccessTokenSettings
}

/** The claim for what the person has to do before anything else; one thing at a time. */
function firstOf({ passwordExpired, secondFactor }: Holder) {
  if (passwordExpired) return { pwd_expired: true }
  return secondFactor.required && !secondFactor.enabled ? { second_factor_missing: true } : {}
}

/** Signs access tokens: JWTs by RFC 9068. */
export const accessTokenService = ({ ring, permissionsOf, settings }: Parts) => {
  const expiresInSeconds = () => settings.accessTokenMs / 1000

  const sign = (holder: Holder, sessionId: string): string => {
    const { audience, userId, customerId, role } = holder
    const claims = { customer_id: customerId === null ? null : String(customerId), role: roles.indexOf(role), sid: sessionId }
    const { kid, privateKey } = ring.current()
    return jwt.sign({ ...claims, ...firstOf(holder) }, privateKey, {
      ...{ algorithm: 'RS256', header: { alg: 'RS256', typ: 'at+jwt', kid }, issuer: settings.issuer, audience, subject: String(userId) },
      ...{ expiresIn: expiresInSeconds(), jwtid: randomUUID() },
    })
  }

  return {
    async ofPerson(account: Account, sessionId: string, refreshToken: string): Promise<IssuedToken> {
      const permissions = await permissionsOf(account)
      return { accessToken: sign(account, sessionId), expiresIn: expiresInSeconds(), refreshToken, account, ...permissions }
    },

    ofApplication: (account: Holder, sessionId: string): IssuedToken => ({
      accessToken: sign(account, sessionId),
      ...{ expiresIn: expiresInSeconds(), refreshToken: null, account, ofRole: [], ofUser: [] },
    }),
  }
}

export type AccessTokenService = ReturnType<typeof accessTokenService>
