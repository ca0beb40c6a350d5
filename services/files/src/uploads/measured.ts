import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { tooLarge } from '@caseway/kit/errors'

/** How much of a file tells its type (docs of file-type, `fileTypeFromBuffer`). In bytes. */
const sampleBytes = 4_100

/** Passes a file on as it is, and counts it. Fails with `too-large` at the first byte past `maxBytes`. */
export class Measured extends Transform {
  readonly #hash = createHash('sha256')
  #sample = Buffer.alloc(0)
  sizeBytes = 0

  constructor(readonly maxBytes: number) {
    super({ highWaterMark: 1_048_576 })
  }

  /** The beginning of what went through. */
  get sample(): Uint8Array {
    return this.#sample
  }

  /** Of what went through; can be asked for once. */
  sha256(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#hash.digest())
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.sizeBytes += chunk.length
    const isTooLarge = this.sizeBytes > this.maxBytes
    if (!isTooLarge) this.#note(chunk)
    done(isTooLarge ? tooLarge() : null, chunk)
  }

  #note(chunk: Buffer): void {
    if (this.#sample.length < sampleBytes) this.#sample = Buffer.concat([this.#sample, chunk]).subarray(0, sampleBytes)
    this.#hash.update(chunk)
  }
}
