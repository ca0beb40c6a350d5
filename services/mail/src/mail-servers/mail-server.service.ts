import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, invalid, notFound } from '@caseway/kit/errors'
import type { ListQuery } from '@caseway/kit/resource'
import { eitherPasswordOrProvider, passwordNeeded } from '../errors.js'
import { type Failed, MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { MailProbe } from '../mail-connections/mail-probe.js'
import { protocols } from '../mail-connections/mailbox-access.js'
import { wrongLength } from '../mail-html/mail-html.js'
import type { SenderDomain } from '../sender-domains/sender-domain.js'
import type { SenderDomains } from '../sender-domains/sender-domain.service.js'
import { isElsewhere, mask, type Server, usualEncryption, wrongPort } from './mail-server.js'
import type { MailServerRepository } from './mail-server.repository.js'
import type { MailServer, MailServerChanges, mailServerResource, NewMailServer } from './mail-server.resource.js'
import type { MailboxAuthorizationService } from './mailbox-authorization.service.js'

export interface MailServerParts {
  readonly rows: MailServerRepository
  readonly probe: MailProbe
  readonly senderDomains: SenderDomains
  /** Sanitises HTML that is to be shown. */
  readonly sanitise: (html: string) => string
  readonly authorizations: MailboxAuthorizationService
  /** The value of `OUTBOUND_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[]
  /** Whether passwords are hidden even from their owners. */
  readonly maskPasswords: boolean
}

/** The fields of a mailbox that a connection needs. */
export type TriedServer = Pick<
  NewMailServer,
  'userLogin' | 'userPassword' | 'serverProtocol' | 'serverAddress' | 'serverPort' | 'serverEncryption'
> & {
  /** The login by default, where that is an address. */
  readonly userEmail?: string
}

/** The outcome of a try. */
export interface Tried {
  /** The step that failed; null where the server works. */
  readonly failed: Failed | null
  readonly sender?: SenderDomain
}

type SentFrom = Pick<NewMailServer, 'serverProtocol' | 'userEmail'>

type NoPassword = undefined | null | typeof mask

/** Whether a change leaves the password as it is. */
const isKept = (sent: string | null | undefined): boolean => sent === undefined || sent === mask

const isNoPassword = (sent: string | null | undefined): sent is NoPassword => sent === null || isKept(sent)

/** The mailboxes of an office. Only the owner sees the password, and changes or deletes a mailbox. */
export const mailServerService = ({
  rows,
  probe,
  senderDomains,
  sanitise,
  authorizations,
  privateHosts,
  maskPasswords,
}: MailServerParts) => {
  type Wrong = Readonly<Record<string, string>>

  const wrongPortOf = ({ serverProtocol, serverAddress, serverPort }: Partial<Server>): Wrong => {
    if (serverProtocol === undefined || serverAddress === undefined || serverPort === undefined) return {}
    const why = wrongPort({ serverProtocol, serverAddress, serverPort }, privateHosts)
    return why === undefined ? {} : { server_port: why }
  }
  const wrongPasswordOf = ({ userPassword, oauthProvider }: Partial<NewMailServer>): Wrong =>
    oauthProvider == null && isNoPassword(userPassword) ? passwordNeeded : {}

  const wrongSignatureOf = ({ signature }: { signature?: string }): Wrong => {
    const why = signature === undefined ? undefined : wrongLength(sanitise(signature))
    return why === undefined ? {} : { signature: why }
  }

  /** The errors of a new mailbox that its fields do not have by themselves. */
  const wrongOfNew = (sent: Partial<NewMailServer>): Wrong => ({
    ...wrongPasswordOf(sent),
    ...wrongPortOf(sent),
    ...wrongSignatureOf(sent),
  })

  /**
   * The same for a change. A stored password is not sent to another server: a new address, port or encryption needs the password again. A mailbox
   * that has a password cannot lose it.
   */
  const wrongOfChange = (before: MailServer, changes: MailServerChanges): Wrong => {
    const after = { ...before, ...changes }
    const moves = isElsewhere(before, after)
    const takesPassword = moves && before.oauthProvider === null && isKept(changes.userPassword)
    const losesPassword = before.userPassword !== null && changes.userPassword === null
    return { ...wrongSignatureOf(changes), ...((takesPassword || losesPassword) && passwordNeeded), ...(moves && wrongPortOf(after)) }
  }

  const refuse = (wrong: Wrong) => {
    if (Object.keys(wrong).length > 0) throw invalid(wrong)
  }

  const shownTo = async (caller: Employee, servers: readonly MailServer[]): Promise<MailServer[]> => {
    if (maskPasswords) return [...servers]
    const passwords = await rows.passwordsOf(
      caller,
      servers.map(({ id }) => id),
    )
    return servers.map((server) => ({ ...server, userPassword: passwords.get(server.id) ?? server.userPassword }))
  }

  const withFitSignature = <Sent extends { signature?: string }>(sent: Sent): Sent =>
    sent.signature === undefined ? sent : { ...sent, signature: sanitise(sent.signature) }

  /** The outcome of a try, with the DNS records of the sender's domain where the mailbox sends and works. */
  const tried = async (probed: Promise<Failed | null>, customerId: Id, { serverProtocol, userEmail }: SentFrom): Promise<Tried> => {
    const sends = serverProtocol === protocols.smtp && userEmail.includes('@')
    const [failed, sender] = await Promise.all([probed, sends ? senderDomains(customerId, userEmail) : undefined])
    return { failed, ...(failed === null && sender && { sender }) }
  }

  const { find, remove, pause, resume } = rows
  const { toOpen, refused } = authorizations
  return {
    ...{ find, remove, pause, resume, toOpen, refused },

    async list(caller: Employee, query: ListQuery<typeof mailServerResource>) {
      const page = await rows.list(caller, query)
      return { ...page, items: await shownTo(caller, page.items) }
    },

    async get(caller: Employee, id: Id): Promise<MailServer> {
      const found = await rows.get(caller, id)
      const [shown = found] = await shownTo(caller, [found])
      return shown
    },

    async fieldErrors(caller: Employee, sent: Partial<NewMailServer> & MailServerChanges, id?: Id): Promise<Wrong> {
      if (id === undefined) return wrongOfNew(sent)
      const [before] = await rows.some(caller, [id])
      return before ? wrongOfChange(before, sent) : {}
    },

    async create(caller: Employee, input: NewMailServer): Promise<Id> {
      const { userPassword, oauthProvider = null } = input
      const server = { ...withFitSignature(input), serverEncryption: input.serverEncryption ?? usualEncryption(input.serverPort) }
      refuse(wrongOfNew(input))
      if (oauthProvider === null) return rows.create(caller, server)
      if (!isNoPassword(userPassword)) throw eitherPasswordOrProvider()
      authorizations.mustServe(oauthProvider, server, 'oauth_provider')
      return rows.create(caller, { ...server, userPassword: null })
    },

    /** Tries a mailbox with these settings, and stores nothing. */
    async tryNew({ customerId }: Employee, input: TriedServer): Promise<Tried> {
      const { userPassword, serverProtocol, serverAddress, serverPort, userLogin, userEmail = userLogin } = input
      refuse(wrongOfNew(input))
      if (isNoPassword(userPassword)) throw invalid(passwordNeeded)
      const serverEncryption = input.serverEncryption ?? usualEncryption(serverPort)
      const access = { serverProtocol, serverAddress, serverPort, serverEncryption, userLogin, credentials: { password: userPassword } }
      return tried(probe(access), customerId, { serverProtocol, userEmail })
    },

    /** Tries a stored mailbox of the caller. @throws AppError `forbidden` where it is a colleague's */
    async tryStored(caller: Employee, id: Id): Promise<Tried> {
      const { userId } = await rows.get(caller, id)
      if (userId !== caller.userId) throw forbidden()
      try {
        const mailbox = await toOpen(caller.customerId, id)
        if (!mailbox) throw notFound()
        if ('password' in mailbox.credentials && mailbox.credentials.password === '') return { failed: 'auth' }
        const outcome = await tried(probe(mailbox), caller.customerId, mailbox)
        if (outcome.failed === 'auth') await refused(mailbox)
        return outcome
      } catch (error) {
        if (error instanceof MailConnectionError) return { failed: error.failed }
        throw error
      }
    },

    async change(caller: Employee, id: Id, sent: MailServerChanges, expected?: number): Promise<void> {
      const fit = withFitSignature(sent)
      const { userPassword, ...others } = fit
      const changes = isKept(userPassword) ? others : fit
      await rows.change(caller, id, changes, expected, (before) => {
        refuse(wrongOfChange(before, changes))
        const after = { ...before, ...changes }
        if (before.oauthProvider !== null && isKept(userPassword) && isElsewhere(before, after))
          authorizations.mustServe(before.oauthProvider, after, 'oauth_provider')
      })
    },
  }
}

export type MailServerService = ReturnType<typeof mailServerService>
