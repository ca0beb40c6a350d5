import { setTimeout as pause } from 'node:timers/promises'
import type { Employee } from '@caseway/kit/caller'
import { unavailable } from '@caseway/kit/errors'
import type { OauthClient, Tokens } from '@caseway/kit/oauth'
import type { Tx } from '../database.js'
import { accessTooShort, codeRefused, redirectUriUnknown, stateRefused } from '../errors.js'
import { type Authorized, begunMs, type Grant, type HeldTokens, type MailboxOfPerson, type RetiredGrant } from './grant.js'
import type { GrantRepository } from './grant.repository.js'
import type { OauthProvider } from './oauth-provider.js'

interface Parts {
  readonly grants: GrantRepository
  readonly providers: readonly OauthProvider[]
  readonly clientOf: (provider: OauthProvider) => OauthClient
  readonly redirectUris: readonly string[]
}

/** The pause between two checks whether another copy has refreshed the tokens, in milliseconds, and the most checks. */
const waits = { ms: 250, maxLooks: 40 }

/** Access to mailboxes with OAuth 2.0: authorization, refresh and revocation of tokens. */
export const grantService = ({ grants, providers, clientOf, redirectUris }: Parts) => {
  const clients = new Map(providers.map((provider) => [provider.name, clientOf(provider)]))
  const clientBy = (name: string): OauthClient => {
    const client = clients.get(name)
    if (!client) throw unavailable(new Error(`The provider ${name} is not configured.`))
    return client
  }

  /** @returns the new access token; null where the provider refuses, or a new authorization has replaced the tokens meanwhile */
  const refresh = async (grant: Grant & { readonly tokens: HeldTokens }): Promise<string | null> => {
    let answer: Tokens | 'refused'
    try {
      answer = await clientBy(grant.provider).refresh(grant.tokens.refreshToken)
    } catch (error) {
      await grants.release(grant)
      throw error
    }
    if (answer === 'refused') {
      await grants.drop(grant)
      return null
    }
    const isKept = await grants.replace(grant, { ...answer, refreshToken: answer.refreshToken ?? grant.tokens.refreshToken })
    return isKept ? answer.accessToken : null
  }

  return {
    /** The configured provider of this name. */
    providerBy: (name: string): OauthProvider | undefined => providers.find((provider) => provider.name === name),

    /** Begins an authorization. @returns the URL of the provider at which the user agrees; its answer is valid in this session, for ten minutes */
    async begin(caller: Employee, mailbox: MailboxOfPerson, provider: OauthProvider, redirectUri: string, login: string): Promise<string> {
      if (!redirectUris.includes(redirectUri)) throw redirectUriUnknown()
      const more = { scope: provider.scope, login_hint: login }
      const request = await clientBy(provider.name).requestAuthorization(provider.authorizationUrl, redirectUri, more)
      const { url, state, codeVerifier } = request
      const until = Date.now() + begunMs
      await grants.begin(mailbox, { provider: provider.name, state, codeVerifier, redirectUri, sessionId: caller.sessionId, until })
      return url
    },

    /**
     * Exchanges a code for tokens.
     * @throws AppError `invalid` for a state or a code that is refused, and `unavailable` where the provider does not answer: the same code may be
     * sent again
     */
    async redeem(caller: Employee, mailbox: MailboxOfPerson, { code, state }: { code: string; state: string }): Promise<Authorized> {
      const begun = await grants.take(mailbox, (one) => one.state === state && one.sessionId === caller.sessionId && one.until > Date.now())
      if (!begun) throw stateRefused()
      const { provider, codeVerifier, redirectUri } = begun
      let tokens: Tokens | 'refused'
      try {
        tokens = await clientBy(provider).exchange({ code, codeVerifier, redirectUri })
      } catch (error) {
        await grants.putBack(mailbox, begun)
        throw error
      }
      if (tokens === 'refused') throw codeRefused()
      const { refreshToken } = tokens
      if (refreshToken === null) throw accessTooShort()
      return { provider, tokens: { ...tokens, refreshToken } }
    },

    put: grants.put,
    lock: grants.lock,

    /** Ends the use of the tokens for the mailbox. A provider with a revocation endpoint is asked to revoke them later. */
    retire: (tx: Tx, mailbox: MailboxOfPerson): Promise<void> =>
      grants.retire(tx, mailbox, (name) => providers.some((provider) => provider.name === name && provider.revocationUrl !== undefined)),

    /** Revokes the tokens at the provider (RFC 7009). @throws AppError `unavailable` where the provider does not answer */
    async revoke({ provider, refreshToken }: RetiredGrant): Promise<void> {
      if (refreshToken !== null) await clientBy(provider).revoke(refreshToken)
    },

    /**
     * A valid access token; null where the provider grants none, so that the user has to authorize again. One of several concurrent callers refreshes
     * it before it expires; the others use the present one while it is valid, or wait.
     * @throws AppError `unavailable` where the provider does not answer
     */
    async accessToken(mailbox: MailboxOfPerson, provider: string): Promise<string | null> {
      for (let looks = 0; looks < waits.maxLooks; looks++) {
        const grant = await grants.find(mailbox)
        if (!grant?.tokens || grant.provider !== provider) return null
        const { tokens, refreshAt } = grant
        const isGood = Date.now() < tokens.expiresAt
        if (isGood && refreshAt && refreshAt > new Date()) return tokens.accessToken
        if (await grants.claim(grant)) {
          try {
            const accessToken = await refresh({ ...grant, tokens })
            if (accessToken !== null) return accessToken
          } catch (error) {
            if (isGood) return tokens.accessToken
            throw error
          }
          continue
        }
        if (isGood) return tokens.accessToken
        await pause(waits.ms)
      }
      throw unavailable(new Error('Nobody has got new tokens for the mailbox in time.'))
    },

    /** To be called when a server has refused this token: it is treated as expired, and the next `accessToken` refreshes it. */
    async distrust(mailbox: MailboxOfPerson, accessToken: string): Promise<void> {
      const grant = await grants.find(mailbox)
      if (grant?.tokens?.accessToken === accessToken) await grants.expire({ ...grant, tokens: grant.tokens })
    },
  }
}

export type GrantService = ReturnType<typeof grantService>
