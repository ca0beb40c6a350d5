import type { Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { PeopleServiceClient } from '@caseway/protos/auth/v1/people'
import { SnapshotServiceClient } from '@caseway/protos/auth/v1/snapshot'
import { copiedCustomer, copiedLink, copiedUser } from './copied-people.js'
import type { Directory } from './directory.js'

const pageSize = 1000

/** auth over gRPC. */
export function authDirectory({ address, security, log }: GrpcEndpoint): Directory & { close(): void } {
  const auth = { address, serverName: 'auth', credentials: channelCredentials(security, log) }
  const people = createGrpcClient(PeopleServiceClient, auth)
  const snapshot = createGrpcClient(SnapshotServiceClient, auth)

  return {
    async hasUser(customerId, id) {
      const { user } = (await unlessUnknown(people.getUser({ customerId, id }))) ?? {}
      return user?.active ?? false
    },

    async link(customerId, clientId) {
      const { link } = (await unlessUnknown(people.getClientLink({ customerId, clientId }))) ?? {}
      return link && copiedLink(link)
    },

    customers: () => pages(async (after) => (await snapshot.listCustomers({ after, limit: pageSize })).customers.map(copiedCustomer)),
    users: () => pages(async (after) => (await snapshot.listUsers({ after, limit: pageSize })).users.map(copiedUser)),
    links: () => pages(async (after) => (await snapshot.listLinks({ after, limit: pageSize })).links.map(copiedLink)),

    close() {
      people.close()
      snapshot.close()
    },
  }
}

async function unlessUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

async function* pages<T extends { id: Id }>(pageAfter: (id: Id) => Promise<T[]>): AsyncGenerator<T[]> {
  let page = await pageAfter(0n)
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page
    page = await pageAfter(last.id)
  }
}
