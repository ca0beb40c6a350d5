import type { Readable } from 'node:stream'
import type { BlobStore, ByteRange } from '@caseway/kit/blobs'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { FileBytes } from '../common-files/common-file.js'
import { fileLost, fileNotClean } from '../errors.js'
import type { NoteLost } from '../lost-files/lost-file.js'

type Office = Pick<Employee, 'customerId'>

/** Finds files of an office, or those that a client sees. Both functions reject with AppError `not-found`. */
interface Records {
  bytes(office: Office, id: Id): Promise<FileBytes>
  readonly own: { bytes(client: Client, id: Id): Promise<FileBytes> }
}

interface Downloads {
  readonly files: Records
  readonly blobs: Pick<BlobStore, 'get' | 'sizeOf'>
  readonly noteLost: NoteLost
}

/** Downloads of files. */
export const downloadService = ({ files, blobs, noteLost }: Downloads) => ({
  /** The file of a download. @throws AppError `not-found`; FILE_NOT_CLEAN unless its scan is `ok`; FILE_NOT_EXISTS where its bytes are lost */
  async find(caller: Client | Office, id: Id): Promise<FileBytes> {
    const file = await ('role' in caller && caller.role === 'client' ? files.own.bytes(caller, id) : files.bytes(caller as Office, id))
    if (file.status !== 'ok') throw file.isLost ? fileLost() : fileNotClean()
    return file
  },

  /** Opens the bytes, and records where they are lost or there again. @throws AppError FILE_NOT_EXISTS where the storage has lost them */
  async open(file: FileBytes, range?: ByteRange): Promise<Readable> {
    // A lost file may be there in part, so its size is checked.
    if (file.isLost && (await blobs.sizeOf(file.blobKey)) !== file.sizeBytes) throw fileLost()
    const content = await blobs.get(file.blobKey, range)
    const isLost = content === undefined
    if (isLost !== file.isLost) await noteLost(file, isLost)
    if (isLost) throw fileLost()
    return content
  },
})

export type DownloadService = ReturnType<typeof downloadService>
