import type { Readable } from 'node:stream'
import { type BlobStore, newBlobKey } from '@caseway/kit/blobs'
import { type Client, type Employee, type Id, parseId } from '@caseway/kit/caller'
import { fileName } from '@caseway/kit/downloads'
import { AppError, invalid, noSuchRecord } from '@caseway/kit/errors'
import type { Links } from '@caseway/people'
import type { ReceivedFile } from '../common-files/common-file.js'
import { Measured } from './measured.js'
import { mediaType } from './media-type.client.js'

/** Creates records of files, for an employee, or for a client in an office. */
interface Records {
  create(caller: Employee, file: ReceivedFile): Promise<Id>
  createOwn(client: Client, customerId: Id, file: ReceivedFile): Promise<Id>
}

interface Uploads {
  readonly files: Records
  readonly blobs: BlobStore
  readonly links: Links
  readonly maxBytes: number
}

/** Uploads of files: first the bytes are stored, and then the record. */
export const uploadService = ({ files, blobs, links, maxBytes }: Uploads) => {
  /** Removes the bytes. Where that fails, the sweep removes them later. */
  const discard = ({ blobKey }: Pick<ReceivedFile, 'blobKey'>): Promise<void> => blobs.remove(blobKey).catch(() => undefined)

  return {
    maxBytes,

    /** Stores the bytes. @throws AppError `too-large` or `unavailable`, after which nothing is stored */
    async receive(sentName: string, content: Readable): Promise<ReceivedFile> {
      const [blobKey, name, measured] = [newBlobKey(), fileName(sentName), new Measured(content, maxBytes)]
      await blobs.put(blobKey, content)
      return { blobKey, name, mime: await mediaType(measured.sample, name), sizeBytes: measured.sizeBytes, sha256: measured.sha256() }
    },

    /**
     * Returns functions that create the record of stored bytes, or remove them. `keep` may be called again where its transaction is retried; only its last call
     * shows whether there is a record. @param named the office that a client has named, as it was sent
     */
    recording(caller: Employee | Client, file: ReceivedFile, named?: string | readonly string[]) {
      let mayBeKept = false
      const create = async () => {
        const office = officeNamed(named)
        if (caller.role !== 'client') return files.create(caller, file)
        return files.createOwn(caller, await links.officeOf(caller, office), file)
      }
      return {
        async keep(): Promise<Id> {
          try {
            const id = await create()
            mayBeKept = true
            return id
          } catch (error) {
            // A record that may exist keeps its bytes; where it does not, the sweep removes them.
            mayBeKept = error instanceof AppError && error.kind === 'uncertain'
            throw error
          }
        },

        /** Removes the bytes, unless the last `keep` has created a record, or may have. */
        end: async (): Promise<void> => {
          if (!mayBeKept) await discard(file)
        },
      }
    },

    discard,
  }
}

/** The office that was named, if any. @throws AppError `invalid` where it is not an id */
function officeNamed(sent: string | readonly string[] | undefined): Id | undefined {
  if (sent === undefined) return undefined
  if (typeof sent !== 'string') throw invalid({ customer_id: 'must be given once' })
  const id = parseId(sent)
  if (id === undefined) throw noSuchRecord('customer_id')
  return id
}

export type UploadService = ReturnType<typeof uploadService>
