import type { Employee, Id } from '@caseway/kit/caller'
import { AppError, notFound } from '@caseway/kit/errors'
import { providerNeedsEncryption, providerServesOthers, providerUnknown, stateRefused } from '../errors.js'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import { encryptions, type Mailbox } from '../mail-connections/mailbox-access.js'
import type { GrantService } from '../mail-grants/grant.service.js'
import type { OauthProvider } from '../mail-grants/oauth-provider.js'
import type { MailServerRepository, StoredMailbox } from './mail-server.repository.js'
import type { MailboxAuthorizations } from './mailbox-authorization.repository.js'

export interface AuthorizationParts {
  readonly rows: Pick<MailServerRepository, 'get' | 'toOpen'>
  readonly authorizations: MailboxAuthorizations
  readonly grants: GrantService
}

interface Endpoint {
  readonly serverAddress: string
  readonly serverEncryption: number
}

/** Opens mailboxes that use an OAuth 2.0 provider in place of a password. */
export const mailboxAuthorizationService = ({ rows, authorizations, grants }: AuthorizationParts) => {
  /**
   * The provider, which must be configured and serve the mail server.
   * @throws AppError `invalid`
   * @param field the field of the request that names the provider
   */
  const mustServe = (name: string, { serverAddress, serverEncryption }: Endpoint, field: string): OauthProvider => {
    const provider = grants.providerBy(name)
    if (!provider) throw providerUnknown(field)
    if (!provider.hosts.includes(serverAddress)) throw providerServesOthers()
    // A token is never sent in plain text (RFC 6750, 5.3).
    if (serverEncryption === encryptions.none) throw providerNeedsEncryption()
    return provider
  }

  const mayServe = (name: string, { serverAddress, serverEncryption }: Endpoint) =>
    grants.providerBy(name)?.hosts.includes(serverAddress) === true && serverEncryption !== encryptions.none

  /** The caller's own mailbox. A colleague's is `not-found`, so that its existence is not disclosed. */
  const own = async (caller: Employee, id: Id) => {
    const server = await rows.get(caller, id)
    if (server.userId !== caller.userId) throw notFound()
    return server
  }

  /** The access token; null where the provider refuses it, or does not serve the mail server. @throws MailConnectionError where the provider does not answer */
  const tokenOf = async (mailbox: StoredMailbox, provider: string): Promise<string | null> => {
    if (!mayServe(provider, mailbox)) return null
    try {
      return await grants.accessToken(mailbox, provider)
    } catch (error) {
      throw error instanceof AppError && error.kind === 'unavailable' ? new MailConnectionError('connect') : error
    }
  }

  return {
    mustServe,

    /** Begins an authorization. @returns the URL of the provider at which the owner agrees */
    async begin(caller: Employee, id: Id, { provider: name, redirectUri }: { provider: string; redirectUri: string }): Promise<string> {
      const server = await own(caller, id)
      const provider = mustServe(name, server, 'provider')
      return grants.begin(caller, server, provider, redirectUri, server.userLogin)
    },

    /** Completes an authorization and starts the mailbox. */
    async complete(caller: Employee, id: Id, answer: { code: string; state: string }): Promise<void> {
      const server = await own(caller, id)
      const authorized = await grants.redeem(caller, server, answer)
      const { provider } = authorized
      if (await authorizations.connect(server, authorized, (endpoint) => mayServe(provider, endpoint))) return
      mustServe(provider, await own(caller, id), 'state')
      throw stateRefused()
    },

    /** The mailbox with its credentials. One to which its provider refuses access is stopped. @throws MailConnectionError where the provider does not answer */
    async toOpen(customerId: Id, id: Id): Promise<Mailbox | null> {
      const stored = await rows.toOpen(customerId, id)
      if (!stored || stored.oauthProvider === null) return stored
      const accessToken = await tokenOf(stored, stored.oauthProvider)
      if (accessToken !== null) return { ...stored, credentials: { accessToken } }
      await authorizations.stop(stored, stored.oauthProvider, mayServe(stored.oauthProvider, stored))
      return stored.state === 'active' ? { ...stored, state: 'auth_failed' } : stored
    },

    /** To be called when the mail server has refused the login: a refused access token is not used again. */
    async refused(mailbox: Mailbox): Promise<void> {
      if ('accessToken' in mailbox.credentials) await grants.distrust(mailbox, mailbox.credentials.accessToken)
    },
  }
}

export type MailboxAuthorizationService = ReturnType<typeof mailboxAuthorizationService>
