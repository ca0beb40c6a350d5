import type { Readable } from 'node:stream'
import type { BlobStore, ByteRange } from '@caseway/kit/blobs'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { FileBytes } from '../common-files/common-file.js'
import { fileLost, fileNotClean } from '../errors.js'
import type { NoteLost } from '../lost-files/lost-file.js'

type Office = Pick<Employee, 'customerId'>

/** Where the bytes of a file are, of an office or of a client. Both throw AppError `not-found`. */
interface Records {
  bytes(office: Office, id: Id): Promise<FileBytes>
  readonly own: { bytes(client: Client, id: Id): Promise<FileBytes> }
}

interface Downloads {
  readonly files: Records
  readonly blobs: Pick<BlobStore, 'get' | 'sizeOf'>
  readonly noteLost: NoteLost
}

/** How the bytes of a file go out. */
export const downloadService = ({ files, blobs, noteLost }: Downloads) => ({
  /** What a download is of. @throws AppError `not-found`, and FILE_NOT_CLEAN unless the scanner has found the file clean */
  async find(caller: Client | Office, id: Id): Promise<FileBytes> {
    const file = await ('role' in caller && caller.role === 'client' ? files.own.bytes(caller, id) : files.bytes(caller as Office, id))
    if (file.status !== 'ok') throw file.isLost ? fileLost() : fileNotClean()
    return file
  },

  /** @throws AppError FILE_NOT_EXISTS where the storage has lost the bytes */
  async open(file: FileBytes, range?: ByteRange): Promise<Readable> {
    // Of what was lost, a part may be there.
    if (file.isLost && (await blobs.sizeOf(file.blobKey)) !== file.sizeBytes) throw fileLost()
    const content = await blobs.get(file.blobKey, range)
    const isLost = content === undefined
    if (isLost !== file.isLost) await noteLost(file, isLost)
    if (isLost) throw fileLost()
    return content
  },
})

export type DownloadService = ReturnType<typeof downloadService>
