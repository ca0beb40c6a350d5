import type { HttpClient } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'

/** The body of a POST that creates a mailbox. */
export const newMailServer = {
  ...{ user_name: 'Anna Nowak', user_email: 'anna@office.example', user_login: 'anna', user_password: 'a secret of Anna' },
  ...{ server_protocol: 2, server_address: 'imap.office.example', server_port: 993, server_encryption: 2 },
}

/** Creates a mailbox, and returns its id. */
export async function createMailServer(http: HttpClient, fields: object = {}): Promise<number> {
  const { status, body, text } = await http.post<{ id: number }>('/mail_server', { MailServer: { ...newMailServer, ...fields } })
  if (status !== 201) throw new Error(`The mailbox was refused: ${status} ${text}`)
  return body.id
}

/** A mailbox as REST shows it. */
export const shownServer = async (http: HttpClient, id: number): Promise<Record<string, unknown>> =>
  (await http.get<{ MailServer: Record<string, unknown> }>(`/mail_server/${id}`)).body.MailServer

/** A mailbox as it is stored; undefined where there is none. */
export const rowOf = async ({ database }: Pick<TestService, 'database'>, id: number | bigint) =>
  (await database.rows<Record<string, unknown>>('SELECT * FROM mail_servers WHERE id = $1', [id]))[0]
