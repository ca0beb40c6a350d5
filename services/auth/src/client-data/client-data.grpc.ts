import { unary } from '@caseway/kit/grpc'
import type { ClientDataServiceServer } from '@caseway/protos/auth/v1/client_data'
import type { ClientDataChanges, Reservation } from './client-data.js'
import type { ClientDataService } from './client-data.service.js'

/** Removes fields that the message does not have: ts-proto sets them to undefined. */
const sent = (changes: Partial<Record<keyof ClientDataChanges, string | undefined>> = {}): ClientDataChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const answerOf = ({ clientId, data, changes }: Reservation) => ({ data: { clientId, ...data }, changes })

export const clientDataGrpc = (changes: ClientDataService): ClientDataServiceServer => ({
  getClientData: unary(async ({ externalUserId, changes: wanted }) => answerOf(await changes.get(externalUserId, sent(wanted)))),

  reserveClientData: unary(async ({ changeId, externalUserId, changes: wanted }) =>
    answerOf(await changes.reserve(changeId, externalUserId, sent(wanted))),
  ),

  applyClientData: unary(async ({ changeId, changes: wanted, applicationId }) => ({
    customerIds: await changes.apply(changeId, sent(wanted), applicationId),
  })),

  releaseClientData: unary(async ({ changeId }) => {
    await changes.release(changeId)
    return {}
  }),
})
