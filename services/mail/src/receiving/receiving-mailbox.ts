import { type Mailbox, protocols } from '../mail-connections/mailbox-access.js'
import type { ReceivingMailbox } from '../received-messages/arrived-message.js'

/** Whether its messages are fetched at this moment. Servers that speak POP3 are not received yet. */
export const isReceived = (mailbox: Mailbox | null): mailbox is Mailbox =>
  mailbox?.state === 'active' && mailbox.serverProtocol === protocols.imap

export const receivingOf = ({ id, customerId, userId, userEmail, fetchAfterDate, downloadAttachments }: Mailbox): ReceivingMailbox => ({
  ...{ id, customerId, userId, address: userEmail, downloadAttachments: downloadAttachments ?? true },
  fetchAfter: fetchAfterDate === null ? null : new Date(fetchAfterDate),
})
