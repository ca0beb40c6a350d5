import type { Readable } from 'node:stream'

/** Where the bytes of messages are stored. */
export interface MessageBytes {
  /** Undefined where there are none under this key. */
  get(key: string): Promise<Readable | undefined>
}
