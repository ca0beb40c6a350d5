import { SnapshotServiceService } from '@caseway/protos/auth/v1/snapshot'
import type { Db } from '../database.js'
import { snapshotGrpc } from './snapshot.grpc.js'
import { snapshotRepository } from './snapshot.repository.js'
import { snapshotService } from './snapshot.service.js'

/** The gRPC service by which copies that are empty are filled. */
export const wireSnapshot = (db: Db) => [SnapshotServiceService, snapshotGrpc(snapshotService(snapshotRepository(db)))] as const
