import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import type { MailProbe } from '../mail-connections/mail-probe.js'
import type { MailQueue } from '../mail-connections/mail-queue.js'
import { receives } from '../mail-connections/mailbox-access.js'
import type { GrantService } from '../mail-grants/grant.service.js'
import { type MailHtml, sanitiserOf } from '../mail-html/mail-html.js'
import type { SenderDomains } from '../sender-domains/sender-domain.service.js'
import { grantUse } from './grant-use.repository.js'
import { type Changed, mailServerRepository } from './mail-server.repository.js'
import { mailServerRoutes } from './mail-server.routes.js'
import { mailServerService } from './mail-server.service.js'
import { mailboxAdministration } from './mailbox-administration.repository.js'
import { mailboxAuthorizations } from './mailbox-authorization.repository.js'
import { mailboxAuthorizationRoutes } from './mailbox-authorization.routes.js'
import { mailboxAuthorizationService } from './mailbox-authorization.service.js'

interface Parts {
  readonly secrets: Secrets
  readonly config: { readonly outboundPrivateHosts: readonly string[]; readonly maskMailPasswords: boolean }
  readonly queue: MailQueue
  readonly probe: MailProbe
  readonly grants: GrantService
  readonly html: MailHtml
  readonly senderDomains: SenderDomains
}

/** The mailboxes of an office. */
export function wireMailServers(db: Db, { secrets, config, queue, probe, grants, html, senderDomains }: Parts) {
  const { outboundPrivateHosts: privateHosts, maskMailPasswords: maskPasswords } = config
  const onChange: Changed = async (tx, { customerId, id, serverProtocol, isAnother }) => {
    if (isAnother) await queue.deleteFolders(tx, customerId, id)
    await (receives(serverProtocol) ? queue.receive(tx, customerId, id) : queue.sendAnew(tx, customerId, id))
  }
  const use = grantUse(grants)
  const rows = mailServerRepository(db, secrets.sealer('mail-servers'), {
    onChange,
    onSendingEnded: queue.giveUp,
    grantUse: use,
  })
  const authorizations = mailboxAuthorizationService({
    ...{ rows, grants },
    authorizations: mailboxAuthorizations(db, { onChange, grants, grantUse: use }),
  })
  const mailboxes = mailServerService({
    rows,
    probe,
    senderDomains,
    sanitise: sanitiserOf(html),
    authorizations,
    privateHosts,
    maskPasswords,
  })
  return {
    mailboxes,
    keep: rows.keep,
    sealed: rows.sealed,
    administration: mailboxAdministration(db, { onChange, queue, grantUse: use }),
    routes: [mailServerRoutes(mailboxes), mailboxAuthorizationRoutes(authorizations)],
  }
}
