import type { Id } from '@caseway/kit/caller'

/** Where a part of a message is served, on the address of the employees. */
export const attachmentAddress = (messageId: Id, position: number): string =>
  `/rest/mail_received_mysql_message/${messageId}/attachment/${position}`
