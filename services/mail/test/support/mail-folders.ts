import type { TestTenant } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'

interface Shown {
  readonly MailFolder: {
    readonly id: string
    readonly name: string
    readonly system_name: string | null
    readonly parent_id: string | null
  }
}

/** The folders of an office, as its expert sees them; `of` returns the office, at the time of a call. */
export function mailFolders(service: TestService, of: () => TestTenant) {
  const expert = () => service.asExpert(of().expert)
  const list = async (query = '', http = expert()) =>
    (await http.get<Shown[]>(`/mail_folder${query}`)).body.map(({ MailFolder }) => MailFolder)
  return {
    ...{ expert, list },
    /** Creates a folder, and returns its id. */
    async create(fields: object, http = expert()) {
      const { body, status } = await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'A folder', ...fields } })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.id
    },
    names: async (query = '', http = expert()) => (await list(query, http)).map(({ name }) => name),
  }
}
