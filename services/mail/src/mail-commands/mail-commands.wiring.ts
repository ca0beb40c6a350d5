import type { HasRight } from '@caseway/kit/http'
import type { Db } from '../database.js'
import type { MailQueue } from '../mail-connections/mail-queue.js'
import { type KeepMailboxes, mailCommandRepository } from './mail-command.repository.js'
import { mailCommandRoutes } from './mail-command.routes.js'
import { type MailCommandParts, mailCommandService } from './mail-command.service.js'

interface Parts {
  readonly queue: MailQueue
  readonly keepMailboxes: KeepMailboxes
  readonly mailboxes: MailCommandParts['mailboxes']
  readonly hasRight: HasRight
}

/** The commands that users give to mailboxes. */
export function wireMailCommands(db: Db, { queue, keepMailboxes, mailboxes, hasRight }: Parts) {
  const rows = mailCommandRepository(db, queue, keepMailboxes)
  return { routes: mailCommandRoutes(mailCommandService({ rows, mailboxes, hasRight })) }
}
