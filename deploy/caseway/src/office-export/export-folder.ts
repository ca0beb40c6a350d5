import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file of an export, by its path in the folder. */
export interface ExportedFile {
  readonly path: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** What a file is called until it is complete. */
export const partialName = (path: string) => `${path}.part`

/** What is in the export, and how far it is: a file with its own name is complete. */
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

    /** Of everything that is in it, in their order; nothing where it is not there yet. */
    names: (): Promise<string[]> =>
      readdir(folder).then(
        (names) => names.toSorted(),
        (error) => {
          if (error.code === 'ENOENT') return []
          throw error
        },
      ),

    read: (path: string) => readFile(pathOf(path), 'utf8'),

    /** The lines of a file, which end with a line feed alone: texts may have what readline takes for an end as well (U+2028, U+2029). */
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

    /** Writes a file that has its name only when it is complete and on the disk. Nobody else on this machine reads it. */
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

/** As `mkdir` with `recursive`, which does not end in Node.js 24 where a file system refuses a folder with ENOENT although the one above is there, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  await make().catch(async (error) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await make()
  })
}

export type ExportFolder = ReturnType<typeof exportFolder>
