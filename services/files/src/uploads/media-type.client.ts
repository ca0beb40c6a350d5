import { fileTypeFromBuffer } from 'file-type'
import { lookup } from 'mime-types'

/** The media type by the bytes, or by the extension where they do not tell. The `Content-Type` of the sender is ignored. */
export async function mediaType(sample: Uint8Array, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(sample)
  return found?.mime ?? (lookup(name) || 'application/octet-stream')
}
