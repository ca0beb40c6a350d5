import type { Id } from '@caseway/kit/caller'
import type { TestTenant } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'
import { expect } from '@jest/globals'
import { countsOf } from './mailbox.js'

interface Shown {
  readonly MailReceivedMysqlMessage: { readonly id: string; readonly mail_subject: string; readonly folder_name: string | null }
}

export const path = '/mail_received_mysql_message'
export const done = { status: 'OK' }

/** The messages of an office, as its expert sees them; `of` returns the office, at the time of a call. */
export function receivedMessages(service: TestService, of: () => TestTenant) {
  const expert = () => service.asExpert(of().expert)
  return {
    expert,
    ids: async (query = '', http = expert()) =>
      (await http.get<Shown[]>(path + query)).body.map(({ MailReceivedMysqlMessage: { id } }) => BigInt(id)),
    put: (id: Id | number, fields: object, http = expert()) => http.put(`${path}/${id}`, { MailReceivedMysqlMessage: fields }),
    get: async (id: Id, http = expert()) => (await http.get<Shown>(`${path}/${id}`)).body?.MailReceivedMysqlMessage,
    /** Creates a custom folder. */
    folder: async (fields: object = {}, http = expert()) =>
      BigInt((await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'A folder', ...fields } })).body.id),
    async counts() {
      const { kept, counted } = await countsOf(service, of().customerId)
      expect(kept).toEqual(counted)
      return kept
    },
  }
}
