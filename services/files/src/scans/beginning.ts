import type { Scanned } from './virus-scanner.js'

/** Reads the first `count` bytes, or all where there are fewer. */
export async function beginning({ sizeBytes, read }: Scanned, count: number): Promise<Buffer> {
  if (sizeBytes === 0) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of await read({ start: 0, end: Math.min(count, sizeBytes) - 1 })) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= count) break
  }
  return Buffer.concat(chunks).subarray(0, count)
}
