import type { HttpClient } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'
import { expect } from '@jest/globals'

interface Shown {
  readonly MailSentMysqlMessage: Readonly<Record<string, string | null>> & { readonly id: string }
  readonly MailSentRecipient: readonly Readonly<Record<string, string>>[]
}

export const path = '/mail_sent_mysql_message'
/** A mailbox from which messages are sent. */
export const smtp = { server_protocol: 1, server_address: 'smtp.office.example', server_port: 465 }
export const to = { mail_to_address: ['jan@client.example'], mail_to_name: ['Jan Client'] }

export const done = { status: 200, body: { status: 'OK' } }
export const notFound = { status: 404, body: { errorCode: 'NOT_FOUND' } }
export const inState = { status: 409, body: { status: 'error', errorMessages: expect.any(String), errorCode: 'MAIL_SENT_MESSAGE_STATE' } }
export const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

/** The messages that a user writes; `of` returns the user and the mailbox, at the time of a call. */
export function writtenMessages({ database }: TestService, of: () => { readonly http: HttpClient; readonly mailbox: number }) {
  const post = (fields: object = {}, by = of().http) =>
    by.post<{ id: number }>(path, { MailSentMysqlMessage: { mail_server_id: of().mailbox, ...to, status: 4, ...fields } })
  const shown = async (id: number) => (await of().http.get<Shown>(`${path}/${id}`)).body
  return {
    ...{ post, shown },
    async made(fields: object = {}) {
      const { status, body, text } = await post(fields)
      if (status !== 201) throw new Error(`The message was refused: ${status} ${text}`)
      return body.id
    },
    put: (id: number, fields: object, by = of().http) => by.put(`${path}/${id}`, { MailSentMysqlMessage: fields }),
    message: async (id: number) => (await shown(id)).MailSentMysqlMessage,
    recipients: async (id: number) =>
      (await shown(id)).MailSentRecipient.map(({ kind, address, name, state }) => [kind, address, name, state].join(' ')),
    ids: async (query = '', by = of().http) =>
      (await by.get<Shown[]>(path + query)).body.map(({ MailSentMysqlMessage: { id } }) => Number(id)),
    /** Sets columns as the sending engine would. */
    set: (id: number, columns: string) => database.rows(`UPDATE mail_sent_messages SET ${columns} WHERE id = $1`, [id]),
  }
}
