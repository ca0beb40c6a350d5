import { ClientDataServiceService } from '@caseway/protos/auth/v1/client_data'
import type { Db } from '../database.js'
import { clientDataGrpc } from './client-data.grpc.js'
import type { OfficesOfClient } from './client-data.js'
import { clientDataRepository } from './client-data.repository.js'
import { type ClientDataDependencies, clientDataService } from './client-data.service.js'

/** How long an ended change is remembered, in milliseconds: longer than a delayed request for it may take. */
const keepMs = 86_400_000

/** The gRPC service by which the accounting platform's changes reach the accounts of clients. */
export const wireClientData = (db: Db, offices: OfficesOfClient, dependencies: ClientDataDependencies) => ({
  grpc: [ClientDataServiceService, clientDataGrpc(clientDataService(clientDataRepository(db, offices), dependencies))] as const,
  retention: [{ table: 'client_data_changes', column: 'ended', keepMs }],
})
