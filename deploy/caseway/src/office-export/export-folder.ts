import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@caseway/kit/folders'

/** A file of an export, with its path relative to the folder. */
export interface ExportedFile {
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The name of a file until it is complete. */
export const partialName = (path: string) => `${path}.part`

/** The folder of an export. A file with its final name is complete, so that an interrupted export can be resumed. */
export function exportFolder(folder: string) {
  const pathOf = (path: string) => join(folder, path)

  return {
    has: (path: string) =>
      stat(pathOf(path)).then(
        () => true,
        (error) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      ),

    /** The sorted names of all entries; empty where the folder does not exist yet. */
    names: (): Promise<string[]> =>
      readdir(folder).then(
        (names) => names.toSorted(),
        (error) => {
          if (error.code === 'ENOENT') return []
          throw error
        },
      ),

    read: (path: string) => readFile(pathOf(path), 'utf8'),

    /** The lines of a file, split at line feeds only: readline would also split at U+2028 and U+2029, which texts may contain. */
    async *lines(path: string): AsyncGenerator<string> {
      const file = await open(pathOf(path))
      try {
        let rest = ''
        for await (const chunk of file.createReadStream({ encoding: 'utf8', autoClose: false })) {
          const lines = `${rest}${chunk}`.split('\n')
          rest = lines.pop() ?? ''
          yield* lines
        }
        if (rest !== '') yield rest
      } finally {
        await file.close()
      }
    },

    /** Writes a file, which gets its name only when it is complete and synced to disk. Only its owner may read it. */
    async write(path: string, content: AsyncIterable<Uint8Array | string>): Promise<void> {
      const partial = pathOf(partialName(path))
      await makeFolder(dirname(partial))
      const file = await open(partial, 'w', 0o600)
      try {
        for await (const chunk of content) await file.writeFile(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partial, pathOf(path))
    },

    content: (path: string) => createReadStream(pathOf(path)),

    async hashed(path: string): Promise<ExportedFile> {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of createReadStream(pathOf(path)) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        bytes += chunk.length
      }
      return { path, bytes, sha256: hash.digest('hex') }
    },
  }
}

export type ExportFolder = ReturnType<typeof exportFolder>
