import { randomUUID } from 'node:crypto'
import { grpcClient } from '@caseway/testing'
import type { Office, Person } from './auth.js'
import { type MailedAuth, startMailedAuth } from './mail-server.js'

/** A client with an id on the external platform, and the first of their offices. */
export interface Known extends Person {
  readonly external: string
  readonly office: Office
}

interface Reserved {
  data: Record<string, string>
  changes: Record<string, string>
}

const applicationId = '7'

/** auth, and the calls that partner makes. */
export interface ClientDataPlatform {
  readonly auth: MailedAuth
  known(...offices: Office[]): Promise<Known>
  get(external: string): Promise<Reserved>
  reserve(external: string, changes: object, id?: string): Promise<Reserved>
  apply(id: string, changes: object): Promise<{ customer_ids?: string[] }>
  release(id: string): Promise<unknown>
  /** Reserves and applies a change. */
  change(external: string, changes: object): Promise<{ customer_ids?: string[] }>
  accountOf(person: Person): Promise<object | undefined>
  employeeOf(person: Person): Promise<object | undefined>
  stop(): Promise<void>
}

export async function startClientData(): Promise<ClientDataPlatform> {
  const auth = await startMailedAuth()
  const data = grpcClient(auth.service.grpcAddress, 'caseway.auth.v1.ClientDataService')
  const reserve = (external: string, changes: object, id: string = randomUUID()) =>
    data.call<Reserved>('ReserveClientData', { change_id: id, external_user_id: external, changes })
  const apply = (id: string, changes: object) =>
    data.call<{ customer_ids?: string[] }>('ApplyClientData', { change_id: id, changes, application_id: applicationId })

  return {
    ...{ auth, reserve, apply },
    async known(...[first, ...others]) {
      const office = first ?? (await auth.office())
      const person = await auth.client(office, ...others)
      const external = randomUUID()
      await auth.service.administration.identifyClient(person.id, external)
      return { ...person, external, office }
    },
    get: (external) => data.call<Reserved>('GetClientData', { external_user_id: external }),
    release: (id) => data.call('ReleaseClientData', { change_id: id }),
    async change(external, changes) {
      const id = randomUUID()
      await reserve(external, changes, id)
      return apply(id, changes)
    },
    accountOf: async ({ id }) =>
      (await auth.database.rows('SELECT email::text, firstname, lastname, company_name FROM clients WHERE id = $1', [id]))[0],
    employeeOf: async ({ id }) => (await auth.database.rows('SELECT email::text, firstname, lastname FROM users WHERE id = $1', [id]))[0],
    async stop() {
      data.close()
      await auth.stop()
    },
  }
}

export const someone = () => `${randomUUID()}@other.test`
