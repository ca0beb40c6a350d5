import type { Peers } from '@caseway/kit/grpc'
import type { Db } from '../database.js'
import { attachedFileRepository } from './attached-file.repository.js'
import { copiedFiles } from './file-copy.repository.js'
import { fileDirectory } from './file-directory.client.js'

/** The files that are attached to records of this service. */
export const wireFiles = (db: Db, peers: Peers) => ({
  copy: copiedFiles(db, fileDirectory(peers)),
  attachedTo: attachedFileRepository(db),
})
