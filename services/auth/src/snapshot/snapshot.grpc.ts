import { unary } from '@caseway/kit/grpc'
import type { SnapshotServiceServer } from '@caseway/protos/auth/v1/snapshot'
import type { SnapshotService } from './snapshot.service.js'

export const snapshotGrpc = (snapshot: SnapshotService): SnapshotServiceServer => ({
  listCustomers: unary(async ({ after, limit }) => ({ customers: await snapshot.customers(after, limit) })),
  listUsers: unary(async ({ after, limit }) => ({ users: await snapshot.users(after, limit) })),
  listClients: unary(async ({ after, limit }) => ({ clients: await snapshot.clients(after, limit) })),
  listGroups: unary(async ({ after, limit }) => ({ groups: await snapshot.groups(after, limit) })),
  listLinks: unary(async ({ after, limit }) => ({ links: await snapshot.links(after, limit) })),
})
