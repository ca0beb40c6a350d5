import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import type { MailProbe } from '../mail-connections/mail-probe.js'
import type { MailQueue } from '../mail-connections/mail-queue.js'
import { receives } from '../mail-connections/mailbox-access.js'
import { type Changed, mailServerRepository } from './mail-server.repository.js'
import { mailServerRoutes } from './mail-server.routes.js'
import { mailServerService } from './mail-server.service.js'
import { mailboxAdministration } from './mailbox-administration.repository.js'

interface Parts {
  readonly secrets: Secrets
  readonly config: { readonly outboundPrivateHosts: readonly string[]; readonly maskMailPasswords: boolean }
  readonly queue: MailQueue
  readonly probe: MailProbe
}

/** The mailboxes of an office. */
export function wireMailServers(db: Db, { secrets, config, queue, probe }: Parts) {
  const { outboundPrivateHosts: privateHosts, maskMailPasswords: maskPasswords } = config
  const onChange: Changed = async (tx, { customerId, id, serverProtocol }) => {
    await (receives(serverProtocol) ? queue.receive(tx, customerId, id) : queue.sendNow(tx, customerId, id))
  }
  const rows = mailServerRepository(db, secrets.sealer('mail-servers'), onChange)
  const mailboxes = mailServerService({ rows, probe, privateHosts, maskPasswords })
  return {
    mailboxes,
    reseal: rows.reseal,
    administration: mailboxAdministration(db, { onChange, resync: queue.resync }),
    routes: mailServerRoutes(mailboxes),
  }
}
