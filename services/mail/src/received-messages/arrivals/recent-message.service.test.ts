import { Readable } from 'node:stream'
import { expect, it } from '@jest/globals'
import { limits } from '../../parsing/mail-parser.js'
import { recentMessages } from './recent-message.service.js'

/** The bytes of a message that the parser gets. @param chunks the message as the storage yields it */
async function readOf(chunks: readonly string[] | undefined): Promise<string> {
  const message = { id: 1n, subject: '', blobKey: 'a key', from: { address: '', name: '' }, to: [], cc: [] }
  let read: readonly Uint8Array[] = []
  const recent = recentMessages({
    rows: { newest: async () => [message] },
    blobs: { get: async () => chunks && Readable.from(chunks.map((chunk) => Buffer.from(chunk))) },
    parser: {
      headers: async (blocks) => {
        read = blocks
        return []
      },
    },
  })
  await recent(1n, 1n, 1, { withHeaders: true })
  expect(read).toHaveLength(1)
  return Buffer.from(read[0] ?? []).toString()
}

it.each([
  ['ends at the first empty line', ['A: b\r\nC: d\r\n\r\nE: f\r\n\r\n'], 'A: b\r\nC: d'],
  ['ends there where lines end with LF alone', ['A: b\nC: d\n\nE: f\r\n\r\n'], 'A: b\nC: d'],
  ['ends there where the empty line is split between chunks', ['A: b\r\nC: d\r\n', '\r\nE: f'], 'A: b\r\nC: d'],
  ['is the whole message where there is no empty line', ['A: b\r\n', 'C: d'], 'A: b\r\nC: d'],
  ['is empty where the bytes are gone', undefined, ''],
])('the header of a message %s', async (_, chunks, header) => {
  expect(await readOf(chunks)).toBe(header)
})

it('the header of a message is read up to its limit', async () => {
  const chunk = 'x'.repeat(limits.headerBytes / 2)
  expect(await readOf([chunk, chunk, chunk, chunk])).toHaveLength(limits.headerBytes)
})
