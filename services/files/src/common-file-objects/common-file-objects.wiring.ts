import type { Peers } from '@caseway/kit/grpc'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { commonFileObjectRepository } from './common-file-object.repository.js'
import {
  attachedFileResource,
  clientAttachedFileResource,
  clientFileObjectResource,
  commonFileObjectResource,
} from './common-file-object.resource.js'
import { commonFileObjectService } from './common-file-object.service.js'
import { linkRefresh } from './link-refresh.job.js'
import { changedMessages, linkedObjects, removedObjects } from './linked-objects.consumer.js'
import { objectOwners } from './object-owners.client.js'

type OfRepository = Parameters<typeof commonFileObjectRepository>[1]
type Files = OfRepository['files'] & Parameters<typeof commonFileObjectService>[0]['files']

interface Parts extends Peers {
  readonly files: Files
  readonly clients: OfRepository['clients']
}

/** The attachments of files. */
export function wireCommonFileObjects(db: Db, { files, clients, ...peers }: Parts) {
  const links = commonFileObjectRepository(db, { files, clients })
  const service = commonFileObjectService({ links, files, owners: objectOwners(peers) })
  const { get, create, remove, fieldErrors, own } = service
  return {
    removeFile: service.removeFile,
    removeOwnFile: own.removeFile,
    routes: [
      resourceRoutes(commonFileObjectResource, { get, create, remove, fieldErrors }),
      resourceRoutes(attachedFileResource, { list: links.attached.list }),
    ],
    clientRoutes: [
      resourceRoutes(clientFileObjectResource, own),
      resourceRoutes(clientAttachedFileResource, { list: links.attachedOwn.list }),
    ],
    consumers: [removedObjects(service), changedMessages(service)],
    copy: linkedObjects(service),
    jobs: [linkRefresh(service)],
  }
}
