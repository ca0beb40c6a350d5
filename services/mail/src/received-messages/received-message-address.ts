/** The name and the path of received messages in the API. */
export const messageName = { name: 'MailReceivedMysqlMessage', path: 'mail_received_mysql_message' } as const
