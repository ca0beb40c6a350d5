import { type BlobKey, type BlobStore, putHashed } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { AttachedFiles, FileHead } from './attached-files.js'
import type { MessageComposer, MessageToCompose } from './message-composer.js'

/** The bytes of a message as they are sent, however often. */
export interface FrozenBytes {
  readonly blobKey: BlobKey
  readonly sha256: Buffer<ArrayBuffer>
  readonly size: number
}

/** A file whose head was looked at. */
export interface HeadedFile extends FileHead {
  readonly id: Id
}

interface Parts {
  readonly blobs: Pick<BlobStore, 'put'>
  readonly composer: MessageComposer
  readonly files: AttachedFiles
}

/** Writes messages down, and keeps them in the storage. */
export const frozenMessages = ({ blobs, composer, files }: Parts) => ({
  head: files.head,

  /** What fails leaves no bytes. @throws AppError `unavailable` where the storage, or the owner of the files, does not answer */
  async freeze(
    customerId: Id,
    message: Omit<MessageToCompose, 'customerId' | 'attachments'>,
    attached: readonly HeadedFile[],
  ): Promise<FrozenBytes> {
    const attachments = attached.map(({ id, name, mime }) => ({ name, mime, content: files.read(customerId, id) }))
    const composed = await composer.compose({ ...message, customerId, attachments })
    const { sizeBytes: size, ...stored } = await putHashed(blobs, composed)
    return { ...stored, size }
  },
})

export type FrozenMessages = ReturnType<typeof frozenMessages>
