import type { Readable } from 'node:stream'

/** The storage of the bytes of messages. */
export interface MessageBytes {
  /** Undefined where there is nothing under this key. */
  get(key: string): Promise<Readable | undefined>
}
