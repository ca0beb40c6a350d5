import { afterAll, describe, expect, it } from '@jest/globals'
import { parsingThreads } from '../../src/parsing/parsing-threads.client.js'

const threads = parsingThreads(1)
afterAll(() => threads.close())

const header = Buffer.from('Subject: A letter\r\n\r\n')
const quick = { blocks: [header] }
const read = [expect.objectContaining({ subject: 'A letter' })]
/** Takes a thread most of a second. */
const slow = { source: Buffer.concat([header, Buffer.alloc(10_000_000, 'A line of it.\r\n')]) }

describe('a thread', () => {
  it('that takes too long is replaced, and its task fails', async () => {
    const [late, next] = await Promise.allSettled([threads.run(slow, 1), threads.run(quick, 30_000)])
    expect([late.status, next]).toEqual(['rejected', { status: 'fulfilled', value: read }])
  })

  it('gives a task its whole time, however long the task has waited', async () => {
    const startedAt = Date.now()
    await threads.run(slow, 30_000)
    const tookMs = Date.now() - startedAt
    const before = [slow, slow].map((work) => threads.run(work, 30_000))
    expect(await threads.run(quick, tookMs)).toEqual(read)
    await Promise.all(before)
  })
})
