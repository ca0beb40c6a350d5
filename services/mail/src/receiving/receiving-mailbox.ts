import { parseTime } from '@caseway/kit/fields'
import { type Mailbox, receives } from '../mail-connections/mailbox-access.js'
import type { ReceivingMailbox } from '../received-messages/arrived-message.js'

/** Whether its messages are fetched at this moment. */
export const isReceived = (mailbox: Mailbox | null): mailbox is Mailbox => mailbox?.state === 'active' && receives(mailbox.serverProtocol)

/** @param zone of its office, on whose clocks the day begins from which messages are fetched */
export const receivingOf = (
  { id, customerId, userId, userEmail, fetchAfterDate, downloadAttachments }: Mailbox,
  zone: string,
): ReceivingMailbox => ({
  ...{ id, customerId, userId, address: userEmail, downloadAttachments: downloadAttachments ?? true },
  fetchAfter: (fetchAfterDate !== null && parseTime(`${fetchAfterDate} 00:00:00`, zone)) || null,
})
