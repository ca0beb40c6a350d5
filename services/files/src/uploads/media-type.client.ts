import { fileTypeFromBuffer } from 'file-type'
import { lookup } from 'mime-types'

/** The media type that the bytes show, else the one of the extension. What the sender claims is not asked. */
export async function mediaType(sample: Uint8Array, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(sample)
  return found?.mime ?? (lookup(name) || 'application/octet-stream')
}
