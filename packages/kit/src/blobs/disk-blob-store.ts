import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../folders/index.js'
import type { BlobKey, BlobStore } from './blob-store.js'
import { fileWriter, synchronize } from './file-writer.js'
import { storageUnavailable, stored } from './stored.js'

/** The buffer of a read stream: a smaller one needs many more system calls, a larger one stays in memory for every slow reader. */
const bufferBytes = 262_144

/**
 * A blob store on a disk: files below `folder`, in two levels of subfolders. A blob is written to the subfolder `incoming`, synchronized, and renamed; then
 * the folders that changed are synchronized, because a new file survives a loss of power only after that (fsync(2)).
 */
export function diskBlobStore(folder: string): BlobStore {
  const incoming = join(folder, 'incoming')
  const pathOf = (key: BlobKey) => join(folder, key.slice(0, 2), key.slice(2, 4), key)
  const partOf = (key: BlobKey) => join(incoming, key)

  const write = async (path: string, content: Readable | Uint8Array) => {
    // A missing folder is not created: when the disk is not mounted, the blob would be written to another one.
    const file = await stored(open(path, 'wx', 0o600))
    try {
      // Bytes in memory are written by one call, without a copy.
      await (content instanceof Readable ? pipeline(content, fileWriter(file)) : stored(file.writeFile(content)))
      await stored(synchronize(file))
    } finally {
      await file.close()
    }
  }

  const moveIntoPlace = async (key: BlobKey) => {
    const path = pathOf(key)
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(partOf(key), path)
    const changed = made === undefined ? [dirname(path)] : [dirname(path), dirname(dirname(path)), folder]
    await Promise.all(changed.map(synchronizeFolder))
  }

  const discard = (key: BlobKey) => Promise.all([partOf(key), pathOf(key)].map((path) => rm(path, { force: true })))

  /** Undefined where there is no such file. When the folder itself is missing, the disk is not mounted: then it rejects. */
  const ifThere = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch(async (error) => {
      const isLost = isMissing(error) && (await isThere(incoming))
      if (isLost) return undefined
      throw storageUnavailable(error)
    })

  return {
    async open(isNew) {
      if (isNew) await makeFolder(incoming)
    },

    async put(key, content) {
      try {
        await write(partOf(key), content)
        await stored(moveIntoPlace(key))
      } catch (error) {
        if (content instanceof Readable) content.destroy()
        await discard(key).catch(() => undefined)
        throw error
      }
    },

    async get(key, range) {
      const file = await ifThere(open(pathOf(key)))
      return file?.createReadStream({ ...range, highWaterMark: bufferBytes })
    },

    sizeOf: async (key) => (await ifThere(stat(pathOf(key))))?.size,

    async remove(key) {
      await stored(access(incoming).then(() => discard(key)))
    },

    async *olderThan(moment) {
      try {
        for await (const path of filesBelow(folder)) {
          const { mtime } = (await stat(path).catch(() => undefined)) ?? {}
          if (mtime && mtime < moment) yield basename(path)
        }
      } catch (error) {
        throw storageUnavailable(error)
      }
    },
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function synchronizeFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await synchronize(handle).finally(() => handle.close())
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}
