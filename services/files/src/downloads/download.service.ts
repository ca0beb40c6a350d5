import type { Readable } from 'node:stream'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { BlobStore, ByteRange } from '../blobs/blob-store.js'
import type { FileBytes } from '../common-files/common-file.js'
import { fileNotClean } from '../errors.js'

/** Where the bytes of a file are, of an office or of a client. Both throw AppError `not-found`. */
interface Records {
  bytes(caller: Employee, id: Id): Promise<FileBytes>
  readonly own: { bytes(client: Client, id: Id): Promise<FileBytes> }
}

/** How the bytes of a file go out. */
export const downloadService = (files: Records, blobs: Pick<BlobStore, 'get'>) => ({
  /** What a download is of. @throws AppError `not-found`, and FILE_NOT_CLEAN unless the scanner has found the file clean */
  async find(caller: Employee | Client, id: Id): Promise<FileBytes> {
    const file = await (caller.role === 'client' ? files.own.bytes(caller, id) : files.bytes(caller, id))
    if (file.status !== 'ok') throw fileNotClean()
    return file
  },

  /** @throws AppError `not-found` where the storage has lost the bytes */
  async open({ blobKey }: FileBytes, range?: ByteRange): Promise<Readable> {
    const content = await blobs.get(blobKey, range)
    if (!content) throw notFound()
    return content
  },
})

export type DownloadService = ReturnType<typeof downloadService>
