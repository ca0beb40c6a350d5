import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Spool } from './archive.js'

const bufferBytes = 262_144

/** Spools unpacked bytes in the temporary folder of the system. */
export const inTemporaryFile: Spool = async (openContent, work) => {
  const path = join(tmpdir(), `caseway-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    // Unlinked at once, so that the file disappears even if the process is killed.
    await rm(path)
    let sizeBytes = 0
    for await (const chunk of await openContent()) {
      await file.writeFile(chunk)
      sizeBytes += chunk.length
    }
    const read = async ({ start, end } = { start: 0, end: sizeBytes - 1 }) => Readable.from(part(file, start, end), { objectMode: false })
    return await work({ sizeBytes, read })
  } finally {
    await file.close()
  }
}

/** Reads a part of the file. Node's own read stream would close it. */
async function* part(file: FileHandle, start: number, end: number) {
  for (let position = start; position <= end; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(bufferBytes, end - position + 1)), { position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
