import type { Id } from '@caseway/kit/caller'
import { undefinedIfNotFound } from '@caseway/kit/errors'
import { type Peers, pagesById, peerClients } from '@caseway/kit/grpc'
import type { CustomerEvent, GroupEvent, LinkEvent, UserEvent } from '@caseway/protos/auth/v1/events'
import { type ClientLink, type Group, PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { RightsServiceClient } from '@caseway/protos/auth/v1/rights'
import { SnapshotServiceClient } from '@caseway/protos/auth/v1/snapshot'

/** The current data of auth. Every call throws `unavailable` when auth does not answer. */
export interface AuthDirectory {
  /** Whether the user works at the office. */
  hasUser(customerId: Id, id: Id): Promise<boolean>
  /** The link between a client and an office; undefined when there has never been one. */
  link(customerId: Id, clientId: Id): Promise<ClientLink | undefined>
  /** Undefined when the office has no such group, or it was deleted. */
  group(customerId: Id, id: Id): Promise<Group | undefined>
  /** The keys of the rights that an employee has. */
  rightsOf(customerId: Id, userId: Id): Promise<readonly string[]>
  /** The users who work at the office and have the right. */
  usersWithRight(customerId: Id, right: string): Promise<readonly Id[]>
  /** The snapshot of all records, page by page, each with the revision of its last event. */
  customers(): AsyncIterable<CustomerEvent[]>
  users(): AsyncIterable<UserEvent[]>
  links(): AsyncIterable<LinkEvent[]>
  groups(): AsyncIterable<GroupEvent[]>
}

/** Calls auth over gRPC, at the address in the configuration of the service (`asks: ['auth']`). */
export function authDirectory(peers: Peers): AuthDirectory {
  const clientOf = peerClients(peers, 'auth')
  const people = clientOf(PeopleServiceClient)
  const rights = clientOf(RightsServiceClient)
  const snapshot = clientOf(SnapshotServiceClient)

  return {
    async hasUser(customerId, id) {
      const { user } = (await undefinedIfNotFound(people.getUser({ customerId, id }))) ?? {}
      return user?.active ?? false
    },

    async link(customerId, clientId) {
      const { link } = (await undefinedIfNotFound(people.getClientLink({ customerId, clientId }))) ?? {}
      return link
    },

    async group(customerId, id) {
      const { group } = (await undefinedIfNotFound(people.getGroup({ customerId, id }))) ?? {}
      return group
    },

    rightsOf: async (customerId, userId) => (await rights.getRights({ customerId, userId })).rights,
    usersWithRight: async (customerId, right) => (await rights.listUsersWithRight({ customerId, right })).userIds,

    customers: () => pagesById(async (page) => (await snapshot.listCustomers(page)).customers),
    users: () => pagesById(async (page) => (await snapshot.listUsers(page)).users),
    links: () => pagesById(async (page) => (await snapshot.listLinks(page)).links),
    groups: () => pagesById(async (page) => (await snapshot.listGroups(page)).groups),
  }
}
