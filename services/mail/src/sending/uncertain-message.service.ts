import type { Id } from '@caseway/kit/caller'
import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../mail-connections/mailbox-access.js'
import { filedWithinMs, uncertainText } from './queued-message.js'
import type { QueuedMessages } from './queued-message.repository.js'
import type { OpenSentFolder, SentFolder } from './sent-folder.js'

interface Parts {
  readonly mailboxes: { toOpen(customerId: Id, id: Id): Promise<Mailbox | null> }
  readonly messages: Pick<QueuedMessages, 'partnerOf' | 'uncertain' | 'settled'>
  readonly openSent: OpenSentFolder
}

/**
 * Settles messages whose end may have been sent, and whose answer is not known. Those that the server has filed in its folder for sent messages were
 * delivered. The others are not sent again, and are shown as uncertain.
 */
export function uncertainMessages({ mailboxes, messages, openSent }: Parts) {
  const sentFolderOf = async (mailbox: Mailbox): Promise<SentFolder | null> => {
    const partner = await messages.partnerOf(mailbox)
    const found = partner?.isActive ? await mailboxes.toOpen(mailbox.customerId, partner.id) : null
    return found && openSent(found)
  }

  const unknown = (error: unknown) => {
    if (error instanceof MailConnectionError) return undefined
    throw error
  }

  return {
    async settle(run: Run<unknown>, mailbox: Mailbox): Promise<void> {
      const all = await run.checkpoint(null, (tx) => messages.uncertain(tx as Tx, mailbox))
      if (all.length === 0) return
      const folder = await sentFolderOf(mailbox).catch(unknown)
      try {
        for (const one of all) {
          const mayBeFiled = folder !== null && !one.wasSent
          const isFiled = mayBeFiled && (await folder?.has(one.messageId).catch(unknown)) === true
          if (mayBeFiled && !isFiled && one.ageMs < filedWithinMs) continue
          await run.checkpoint(null, (tx) => messages.settled(tx as Tx, mailbox, one, isFiled ? undefined : uncertainText))
        }
      } finally {
        await folder?.close()
      }
    },
  }
}

export type UncertainMessages = ReturnType<typeof uncertainMessages>
