import type { Run } from '@caseway/kit/jobs'
import { describe, expect, it } from '@jest/globals'
import type { FolderAtWork } from '../../src/receiving/folders/folder-at-work.js'
import type { RemoteFolder } from '../../src/receiving/folders/remote-folder.js'
import type { Failure } from '../../src/receiving/folders/remote-folder.repository.js'
import { type FetchParts, messageFetch } from '../../src/receiving/messages/message-fetch.service.js'
import type { LightMessage, MailboxSource } from '../../src/receiving/sources/mailbox-source.js'

/** More than a batch, which has at most 100. */
const light: LightMessage[] = Array.from({ length: 150 }, (_, at) => ({
  ...{ uid: BigInt(at + 1), size: 10, seen: false },
  ...{ internalDate: new Date(0), header: new Uint8Array() },
}))

async function* pages() {
  yield light
}

/** Fetches from `bodies`; `read` records the cursor of the folder. */
function setUp(bodies: MailboxSource['bodies'], store: (bytes: Uint8Array) => Promise<unknown> = async () => ({ blobKey: 'a' })) {
  const read: bigint[] = []
  const missing: bigint[] = []
  const parts = {
    parser: { headers: async (blocks: readonly Uint8Array[]) => blocks.map(() => ({})) },
    intake: {
      decide: async (_: unknown, messages: readonly unknown[]) => messages.map(() => ({ kind: 'store' })),
      store: async () => ({ stored: 0, duplicates: 0, unusedBlobs: [] }),
      discard: async () => undefined,
    },
    store: { store, remove: async () => undefined },
    folders: {
      advance: async (_tx: unknown, _folder: unknown, uid: bigint, failed: readonly Failure[]) => {
        read.push(uid)
        missing.push(...failed.map((one) => one.uid))
      },
    },
    isTemporary: () => true,
  } as unknown as FetchParts
  const run = {
    signal: new AbortController().signal,
    checkpoint: async (_cursor: null, work: (tx: unknown) => Promise<unknown>) => work({}),
  } as unknown as Run<unknown>
  const work = {
    run,
    source: { bodies },
    mailbox: { downloadAttachments: true },
    folder: { id: 1n, epoch: 1 } as RemoteFolder,
  } as unknown as FolderAtWork
  return { read, missing, fetch: () => messageFetch(parts).fetch(work, pages()) }
}

const bodiesOf = async (uids: readonly bigint[]) => new Map(uids.map((uid) => [uid, new Uint8Array([Number(uid)])]))

describe('messages that are fetched while those before are committed', () => {
  it('are read in their order', async () => {
    const { read, fetch } = setUp(bodiesOf)
    await fetch()
    expect(read).toEqual([100n, 150n])
  })

  it('are recorded as failed where the server no longer has them', async () => {
    const { read, missing, fetch } = setUp((uids) => bodiesOf(uids.filter((uid) => uid !== 7n)))
    await fetch()
    expect([read, missing]).toEqual([[100n, 150n], [7n]])
  })

  it('are not skipped when their server fails', async () => {
    const { read, fetch } = setUp(async (uids) => {
      if (uids.includes(101n)) throw new Error('The connection has ended.')
      return bodiesOf(uids)
    })
    await expect(fetch()).rejects.toThrow('The connection has ended.')
    expect(read).toEqual([100n])
  })

  it('are not skipped when the storage fails', async () => {
    const { read, fetch } = setUp(bodiesOf, async ([uid]) => {
      if (uid === 101) throw new Error('The disk is full.')
      return { blobKey: 'a' }
    })
    await expect(fetch()).rejects.toThrow('The disk is full.')
    expect(read).toEqual([100n])
  })
})
