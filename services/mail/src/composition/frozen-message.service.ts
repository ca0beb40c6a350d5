import { type BlobKey, type BlobStore, putHashed } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { AttachedFiles, FileHead } from './attached-files.js'
import type { MessageComposer, MessageToCompose } from './message-composer.js'

/** The stored bytes of a composed message: every attempt sends the same ones. */
export interface FrozenBytes {
  readonly blobKey: BlobKey
  readonly sha256: Buffer<ArrayBuffer>
  readonly size: number
}

/** A file whose name, media type and size are known. */
export interface HeadedFile extends FileHead {
  readonly id: Id
}

interface Parts {
  readonly blobs: Pick<BlobStore, 'put'>
  readonly composer: MessageComposer
  readonly files: AttachedFiles
}

/** Composes messages and stores their bytes. */
export const frozenMessages = ({ blobs, composer, files }: Parts) => ({
  head: files.head,

  /**
   * Composes a message and stores it. A failure leaves no bytes behind.
   * @throws AppError `unavailable` where the storage, or the owner of the files, does not answer
   */
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
