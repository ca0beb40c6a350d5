import type { Readable } from 'node:stream'
import { type BlobStore, newBlobKey } from '@caseway/kit/blobs'
import { type Client, type Employee, type Id, parseId } from '@caseway/kit/caller'
import { fileName } from '@caseway/kit/downloads'
import { AppError, invalid, noSuchRecord } from '@caseway/kit/errors'
import type { Links } from '@caseway/people'
import type { ReceivedFile } from '../common-files/common-file.js'
import { Measured } from './measured.js'
import { mediaType } from './media-type.client.js'

/** Where the records of files are made, of an office or of a client who writes to it. */
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

/** How a file comes in: first its bytes, and when all of them are stored, its record. */
export const uploadService = ({ files, blobs, links, maxBytes }: Uploads) => {
  /** Where the storage does not remove the bytes, the sweep does. */
  const discard = ({ blobKey }: Pick<ReceivedFile, 'blobKey'>): Promise<void> => blobs.remove(blobKey).catch(() => undefined)

  return {
    maxBytes,

    /** Stores the bytes. @throws AppError `too-large`, `unavailable`; then nothing is stored */
    async receive(sentName: string, content: Readable): Promise<ReceivedFile> {
      const [blobKey, name, measured] = [newBlobKey(), fileName(sentName), new Measured(content, maxBytes)]
      await blobs.put(blobKey, content)
      return { blobKey, name, mime: await mediaType(measured.sample, name), sizeBytes: measured.sizeBytes, sha256: measured.sha256() }
    },

    /**
     * How the bytes get a record. Where its transaction is run again, `keep` is called again: only the last call shows whether there is a record.
     * @param named the office that a client names, as it was sent
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

        /** Removes the bytes where the last try to keep them was refused, or there was none. */
        end: async (): Promise<void> => {
          if (!mayBeKept) await discard(file)
        },
      }
    },

    discard,
  }
}

/** @throws AppError `invalid` for what cannot be the id of an office */
function officeNamed(sent: string | readonly string[] | undefined): Id | undefined {
  if (sent === undefined) return undefined
  if (typeof sent !== 'string') throw invalid({ customer_id: 'must be given once' })
  const id = parseId(sent)
  if (id === undefined) throw noSuchRecord('customer_id')
  return id
}

export type UploadService = ReturnType<typeof uploadService>
