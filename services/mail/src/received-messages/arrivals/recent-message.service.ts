import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import type { RecentMessages } from '../../mail-folder-rules/mail-folder-rule.service.js'
import { limits, type MailParser } from '../../parsing/mail-parser.js'
import type { MessageBytes } from '../message-bytes.js'
import type { RecentMessageRepository } from './recent-message.repository.js'

interface Parts {
  readonly rows: RecentMessageRepository
  readonly blobs: MessageBytes
  readonly parser: Pick<MailParser, 'headers'>
}

/** The most messages whose bytes are read at the same time. */
const atOnce = 10

/** The newest messages of a user, in the form in which rules are applied to arriving messages. Headers are read only on request. */
export const recentMessages =
  ({ rows, blobs, parser }: Parts): RecentMessages =>
  async (customerId, userId, limit, { withHeaders }) => {
    const found = await rows.newest(customerId, userId, limit)
    if (!withHeaders) return found.map((message) => ({ ...message, get: () => [] }))
    const slots = pLimit(atOnce)
    const blocks = await Promise.all(found.map(({ blobKey }) => slots(async () => headerBlockOf(await blobs.get(blobKey)))))
    const headers = await parser.headers(blocks)
    return found.map((message, at) => ({ ...message, get: (name) => headers[at]?.get(name) ?? [] }))
  }

/** The bytes before the first empty line (RFC 5322, 2.1); empty where the bytes are gone. */
async function headerBlockOf(stored: Readable | undefined): Promise<Uint8Array> {
  let block = Buffer.alloc(0)
  for await (const chunk of stored ?? []) {
    block = Buffer.concat([block, chunk as Buffer])
    const ends = ['\r\n\r\n', '\n\n'].map((empty) => block.indexOf(empty)).filter((at) => at >= 0)
    if (ends.length > 0) return block.subarray(0, Math.min(...ends))
    if (block.byteLength >= limits.headerBytes) break
  }
  return block
}
