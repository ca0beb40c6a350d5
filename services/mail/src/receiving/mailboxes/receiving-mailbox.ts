import { parseTime } from '@caseway/kit/fields'
import { type Mailbox, receives } from '../../mail-connections/mailbox-access.js'
import type { ReceivingMailbox } from '../../received-messages/arrivals/arrived-message.js'

/** Whether the mailbox exists, is active and receives. */
export const isReceived = (mailbox: Mailbox | null): mailbox is Mailbox => mailbox?.state === 'active' && receives(mailbox.serverProtocol)

/** @param zone the time zone of its office, in which the first day to fetch begins */
export const receivingOf = (
  { id, customerId, userId, userEmail, fetchAfterDate, downloadAttachments }: Mailbox,
  zone: string,
): ReceivingMailbox => ({
  ...{ id, customerId, userId, address: userEmail, downloadAttachments: downloadAttachments ?? true },
  fetchAfter: (fetchAfterDate !== null && parseTime(`${fetchAfterDate} 00:00:00`, zone)) || null,
})
