import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { observe } from '@caseway/kit/buffers'
import { tooLarge } from '@caseway/kit/errors'

/** How many bytes of a file determine its type (docs of file-type, `fileTypeFromBuffer`). */
const sampleBytes = 4_100

/** Size, hash and beginning of a file, taken while another reader consumes it. The file fails with `too-large` at the first byte past `maxBytes`. */
export class Measured {
  readonly #hash = createHash('sha256')
  #sample = Buffer.alloc(0)
  sizeBytes = 0

  constructor(content: Readable, maxBytes: number) {
    observe(content, (chunk) => {
      this.sizeBytes += chunk.length
      if (this.sizeBytes > maxBytes) content.destroy(tooLarge())
      else this.#note(chunk)
    })
  }

  /** The first bytes that were read. */
  get sample(): Uint8Array {
    return this.#sample
  }

  /** The hash of the bytes that were read. May be called once. */
  sha256(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#hash.digest())
  }

  #note(chunk: Uint8Array): void {
    if (this.#sample.length < sampleBytes) this.#sample = Buffer.concat([this.#sample, chunk]).subarray(0, sampleBytes)
    this.#hash.update(chunk)
  }
}
