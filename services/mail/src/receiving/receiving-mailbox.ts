import { type Mailbox, receives } from '../mail-connections/mailbox-access.js'
import type { ReceivingMailbox } from '../received-messages/arrived-message.js'

/** Whether its messages are fetched at this moment. */
export const isReceived = (mailbox: Mailbox | null): mailbox is Mailbox => mailbox?.state === 'active' && receives(mailbox.serverProtocol)

export const receivingOf = ({ id, customerId, userId, userEmail, fetchAfterDate, downloadAttachments }: Mailbox): ReceivingMailbox => ({
  ...{ id, customerId, userId, address: userEmail, downloadAttachments: downloadAttachments ?? true },
  fetchAfter: fetchAfterDate === null ? null : new Date(fetchAfterDate),
})
