import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** Creates a ZIP archive of these files. */
export async function zip(files: Record<string, Buffer | string>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name)
  archive.end()
  return buffer(archive.outputStream)
}

/** Creates nested archives, with one file in the innermost. */
export async function nested(levels: number, content: Buffer | string): Promise<Buffer> {
  let packed = await zip({ 'a.txt': content })
  for (let level = 1; level < levels; level++) packed = await zip({ 'inner.zip': packed })
  return packed
}

/** The EICAR test file, split in two so that virus scanners do not detect it in this source. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
