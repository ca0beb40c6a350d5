import { resourceRoutes } from '@caseway/kit/http'
import { recordService, shownRecords } from '@caseway/kit/objects'
import { defineService } from '@caseway/kit/service'
import { blobStoreOf } from '@caseway/kit/storage'
import { authDirectory, copiedLinks, copiedOffices } from '@caseway/people'
import { ContentServiceService } from '@caseway/protos/files/v1/contents'
import { ScanServiceService } from '@caseway/protos/files/v1/scans'
import { SnapshotServiceService } from '@caseway/protos/files/v1/snapshot'
import { callersOf } from '@caseway/registry'
import { blobRemoval, enqueueRemoval } from './blobs/blob-removal.job.js'
import { storagePart } from './blobs/blob-store.wiring.js'
import { sweep } from './blobs/sweep.job.js'
import { wireCommonFileObjects } from './common-file-objects/common-file-objects.wiring.js'
import { commonFileRepository } from './common-files/common-file.repository.js'
import { clientCommonFileResource, commonFileResource } from './common-files/common-file.resource.js'
import { fileSnapshotGrpc } from './common-files/file-snapshot.grpc.js'
import { fileSnapshotRepository } from './common-files/file-snapshot.repository.js'
import { config } from './config.js'
import { contentGrpc } from './downloads/content.grpc.js'
import { downloadRoutes } from './downloads/download.routes.js'
import { downloadService } from './downloads/download.service.js'
import { PrismaClient } from './generated/client.js'
import { wireLostFiles } from './lost-files/lost-files.wiring.js'
import { enqueueScan } from './scans/scan.job.js'
import { wireScans } from './scans/scans.wiring.js'
import { storageRecount } from './storage-use/storage-recount.service.js'
import { storageUseRepository } from './storage-use/storage-use.repository.js'
import { tables } from './tables.js'
import { uploadRoutes } from './uploads/upload.routes.js'
import { uploadService } from './uploads/upload.service.js'

export const files = defineService({
  name: 'files',
  config,
  client: PrismaClient,
  tables,

  /** Connects the modules. */
  async wire({ db, config, peer, onClose, log, metrics }) {
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone)
    const links = copiedLinks(db, auth)
    const blobs = await blobStoreOf(config)
    const { quotaBytes, maxBytes } = config
    const followers = { created: enqueueScan, removed: enqueueRemoval }
    const files = commonFileRepository(db, { links, quotaBytes, followers })
    const { own, list } = files
    const attached = wireCommonFileObjects(db, { files, clients: links, peer, onClose })
    const scans = wireScans(db, { files, blobs, config, log, metrics })
    const uploads = uploadRoutes(uploadService({ files, blobs, links, maxBytes }), scans.finds)
    const lostFiles = wireLostFiles(db, { files, blobs, metrics })
    const downloads = downloadService({ files, blobs, noteLost: lostFiles.note })

    return {
      parts: [storagePart(blobs, files), scans.part],
      routes: {
        expert: [
          uploads,
          downloadRoutes(commonFileResource, files, downloads),
          resourceRoutes(commonFileResource, { list, remove: attached.removeFile }),
          ...attached.routes,
        ],
        client: [
          uploads,
          downloadRoutes(clientCommonFileResource, own, downloads),
          resourceRoutes(clientCommonFileResource, { list: own.list, remove: attached.removeOwnFile }),
          ...attached.clientRoutes,
        ],
      },
      timeZoneOf: offices.timeZoneOf,
      grpc: {
        callers: callersOf('files'),
        services: [
          [SnapshotServiceService, fileSnapshotGrpc(fileSnapshotRepository(db))],
          [ContentServiceService, contentGrpc(downloads)],
          [ScanServiceService, scans.grpc],
          recordService(offices.timeZoneOf, shownRecords(commonFileResource, files)),
        ],
      },
      consumers: attached.consumers,
      copies: [offices.copy, links.copy, attached.copy],
      jobs: [...attached.jobs, ...scans.jobs, ...lostFiles.jobs, blobRemoval(blobs), sweep(files, blobs)],
      blobs,
      administration: {
        rescan: scans.rescan,
        lostFiles: lostFiles.lost,
        scanPending: scans.scanPending,
        recountStorage: storageRecount({ use: storageUseRepository(db), blobs }),
      },
    }
  },
})
