import { unary } from '@caseway/kit/grpc'
import type { RightsServiceServer } from '@caseway/protos/auth/v1/rights'
import type { RightsService } from './rights.service.js'

export const rightsGrpc = (rights: RightsService): RightsServiceServer => ({
  getRights: unary(async ({ customerId, userId }) => ({ rights: [...(await rights.of(customerId, userId))] })),
  listUsersWithRight: unary(async ({ customerId, right }) => ({ userIds: await rights.usersWith(customerId, right) })),
})
