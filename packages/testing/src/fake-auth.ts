import type { Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { type RunningGrpcServer, startGrpcServer, unary } from '@caseway/kit/grpc'
import { recordService, type ShownRecords } from '@caseway/kit/objects'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { CustomerEvent, GroupEvent, LinkEvent, LinkState, UserEvent } from '@caseway/protos/auth/v1/events'
import { PeopleServiceService } from '@caseway/protos/auth/v1/people'
import { RightsServiceService } from '@caseway/protos/auth/v1/rights'
import { type EndedSession, SessionServiceService } from '@caseway/protos/auth/v1/sessions'
import { SnapshotServiceService } from '@caseway/protos/auth/v1/snapshot'
import { randomId } from './ids.js'

/** A fake of auth: a real gRPC server with the records that the test adds. */
export interface FakeAuth {
  address: string
  users: UserEvent[]
  customers: CustomerEvent[]
  links: LinkEvent[]
  groups: GroupEvent[]
  endedSessions: EndedSession[]
  /** The rights of employees by their ids; those without an entry have none. */
  rights: Map<Id, string[]>
  /** Called with each page of users before it is sent. */
  onUsers: (users: UserEvent[]) => Promise<void>
  /** Number of calls for users, links and groups. */
  questions: number
  stop(): Promise<void>
}

export const user = (fields: { id: Id; customerId: Id } & Partial<UserEvent>): UserEvent =>
  UserEvent.fromPartial({ active: true, revision: 1n, ...fields })

export const link = (fields: { customerId: Id; clientId: Id } & Partial<LinkEvent>): LinkEvent =>
  LinkEvent.fromPartial({ id: randomId(), state: LinkState.ACTIVE, banned: false, revision: 1n, ...fields })

export const group = (fields: { id: Id; customerId: Id } & Partial<GroupEvent>): GroupEvent =>
  GroupEvent.fromPartial({ name: 'A group', deleted: false, revision: 1n, ...fields })

export const customer = (fields: { id: Id } & Partial<CustomerEvent>): CustomerEvent =>
  CustomerEvent.fromPartial({ timeZone: 'Europe/Warsaw', revision: 1n, ...fields })

const page = <T extends { id: Id }>(all: readonly T[], { after, limit }: { after: Id; limit: number }) =>
  all
    .filter(({ id }) => id > after)
    .sort((a, b) => Number(a.id - b.id))
    .slice(0, limit)

/** The RPC methods that show these records. */
function shown<Event>(name: string, all: readonly Event[], fieldsOf: (event: Event) => { id: Id; customerId: Id } & object): ShownRecords {
  const some = async (customerId: Id, ids: readonly Id[]) =>
    all
      .map(fieldsOf)
      .filter((record) => record.customerId === customerId && ids.includes(record.id))
      .map(({ customerId: _, id, ...fields }) => ({ id, json: JSON.stringify({ [name]: { id: String(id), ...fields } }) }))
  return { name, some }
}

const shownClient = ({ clientId: id, customerId, email, firstname, lastname, phone, companyName: company_name }: LinkEvent) => ({
  ...{ id, customerId, email, firstname, lastname, phone, company_name },
})
const shownUser = ({ id, customerId, email, firstname, lastname }: UserEvent) => ({ id, customerId, email, firstname, lastname })
const shownCustomer = ({ id, name, phone, email, url }: CustomerEvent) => ({ id, customerId: id, name, phone, email, url })

export async function fakeAuth(): Promise<FakeAuth> {
  const auth: Omit<FakeAuth, 'address' | 'stop'> = {
    users: [],
    customers: [],
    links: [],
    groups: [],
    endedSessions: [],
    rights: new Map(),
    onUsers: async () => undefined,
    questions: 0,
  }
  const people = {
    getUser: unary(async ({ customerId, id }: { customerId: Id; id: Id }) => {
      auth.questions++
      const user = auth.users.find((user) => user.customerId === customerId && user.id === id)
      if (!user) throw notFound()
      return { user }
    }),
    getClientLink: unary(async ({ customerId, clientId }: { customerId: Id; clientId: Id }) => {
      auth.questions++
      const link = auth.links.find((link) => link.customerId === customerId && link.clientId === clientId)
      if (!link) throw notFound()
      return { link }
    }),
    getGroup: unary(async ({ customerId, id }: { customerId: Id; id: Id }) => {
      auth.questions++
      const group = auth.groups.find((group) => group.customerId === customerId && group.id === id && !group.deleted)
      if (!group) throw notFound()
      return { group }
    }),
  }
  const rightsOf = (userId: Id) => auth.rights.get(userId) ?? []
  const rights = {
    getRights: unary(async ({ userId }: { userId: Id }) => ({ rights: rightsOf(userId) })),
    listUsersWithRight: unary(async ({ customerId, right }: { customerId: Id; right: string }) => {
      const having = auth.users.filter((user) => user.customerId === customerId && user.active && rightsOf(user.id).includes(right))
      return { userIds: having.map(({ id }) => id) }
    }),
  }
  const snapshot = {
    listCustomers: unary(async (request: { after: Id; limit: number }) => ({ customers: page(auth.customers, request) })),
    listUsers: unary(async (request: { after: Id; limit: number }) => {
      const users = page(auth.users, request)
      await auth.onUsers(users)
      return { users }
    }),
    listLinks: unary(async (request: { after: Id; limit: number }) => ({ links: page(auth.links, request) })),
    listGroups: unary(async (request: { after: Id; limit: number }) => ({ groups: page(auth.groups, request) })),
    listClients: unary(async () => ({ clients: [] })),
  }
  const listEndedSessions = unary(async ({ after }: { after: string }) => ({
    sessions: auth.endedSessions.filter(({ sessionId }) => sessionId > after).sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1)),
  }))
  const server: RunningGrpcServer = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      [PeopleServiceService, people],
      [SnapshotServiceService, snapshot],
      [RightsServiceService, rights],
      [SessionServiceService, { listEndedSessions }],
      recordService(
        async () => 'Europe/Warsaw',
        shown('Client', auth.links, shownClient),
        shown('User', auth.users, shownUser),
        shown('Customer', auth.customers, shownCustomer),
      ),
    ],
    security: 'plaintext',
    callers: [],
    log: createLog({ service: 'fake-auth', level: 'silent' }),
    metrics: createMetrics('fake-auth'),
    drainMs: 100,
  })
  return Object.assign(auth, { address: `127.0.0.1:${server.port}`, stop: () => server.stop() })
}
