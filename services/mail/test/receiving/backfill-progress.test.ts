import type { Run } from '@caseway/kit/jobs'
import { expect, it } from '@jest/globals'
import type { Mailbox } from '../../src/mail-connections/mailbox-access.js'
import type { Announced } from '../../src/received-messages/arrivals/arrived-message.js'
import { systemFolder } from '../../src/received-messages/target-folder.js'
import type { Counted, ReadUids } from '../../src/receiving/backfills/backfill.js'
import { type BackfillParts, backfill } from '../../src/receiving/backfills/backfill.service.js'
import { type FetchParts, messageFetch } from '../../src/receiving/messages/message-fetch.service.js'
import type { MailboxSource } from '../../src/receiving/sources/mailbox-source.js'

/** More than one page of decisions, and than one batch. */
const total = 450
const uids = Array.from({ length: total }, (_, at) => BigInt(at + 1))
const [month, day] = [new Date('2026-05-01'), new Date('2026-05-10T12:00:00Z')]
const [customerId, id] = [1n, 2n]
const state = { path: 'INBOX', specialUse: 'inbox', uidValidity: 1n }
const folder = { ...state, id: 3n, customerId, epoch: 1, lastUid: uids.at(-1), comparedAt: day }

const source = {
  folders: async () => [state],
  select: async () => true,
  uidsBetween: async () => uids,
  light: async (wanted: readonly bigint[]) =>
    wanted.map((uid) => ({ uid, size: 10, seen: false, internalDate: day, header: new Uint8Array() })),
  bodies: async (wanted: readonly bigint[]) => new Map(wanted.map((uid) => [uid, new Uint8Array()])),
  close: async () => undefined,
} as unknown as MailboxSource

/** Each second message belongs to another folder. */
const decide = async (_: unknown, messages: readonly Announced[]) =>
  messages.map(({ place }) => ({ kind: 'store' as const, folder: systemFolder(place.uid % 2n === 0n ? 'OTHERS' : 'LEADS') }))

/** A backfill of one month, on an in-memory database. `run` stops with the first checkpoint beyond those it is allowed. */
function setUp(dryRun: boolean) {
  const counted = { stored: 0, discarded: 0, dry: 0 }
  const stored = new Set<bigint>()
  let [isDone, cursor] = [false, null as unknown]
  const intake = {
    decide,
    store: async (_tx: unknown, _mailbox: unknown, messages: readonly Announced[]) => {
      for (const { place } of messages) stored.add(place.uid)
      return { stored: messages.length, duplicates: 0, unusedBlobs: [] }
    },
    discard: async () => undefined,
  }
  const fetch = messageFetch({
    ...{ intake, folders: { advance: async () => undefined }, isTemporary: () => true },
    parser: { headers: async (blocks: readonly unknown[]) => blocks.map(() => ({})) },
    store: { store: async () => ({ blobKey: 'a' }), remove: async () => undefined },
  } as unknown as FetchParts)
  const backfills = {
    find: async () => (isDone ? null : { id, customerId, mailServerId: 4n, folder: 'OTHERS', from: month, dryRun, month }),
    count: async (_: unknown, __: unknown, by: Counted) => {
      counted.stored += by.stored
      counted.discarded += by.discarded
    },
    countDry: async (_: unknown, __: unknown, found: readonly string[]) => {
      counted.dry += found.length
    },
    bytesToday: async () => 0,
    goOn: async () => undefined,
    monthDone: async () => {
      isDone = true
    },
  }
  const engine = backfill({
    ...{ fetch, intake, backfills, open: async () => source, timeZoneOf: async () => 'UTC', bytesPerDay: 1_000_000 },
    mailboxes: { toOpen: async () => ({ state: 'active', serverProtocol: 2, fetchAfterDate: null }) as Mailbox },
    folders: {
      known: async () => new Map([['INBOX', folder]]),
      storedOrFailed: async (_: unknown, some: readonly bigint[]) => new Set(some.filter((uid) => stored.has(uid))),
    },
  } as unknown as BackfillParts)
  return {
    counted,
    async run(checkpoints: number): Promise<void> {
      let left = checkpoints
      const run = {
        signal: new AbortController().signal,
        get cursor() {
          return cursor
        },
        async checkpoint(next: unknown, work: (tx: unknown) => Promise<unknown>) {
          if (left-- === 0) throw new Error('The process was killed.')
          const result = await work({})
          cursor = next
          return result
        },
      } as unknown as Run<unknown>
      await engine.run(run, customerId, id, (cursor ?? {}) as ReadUids)
    },
  }
}

it.each([
  ['stores', false, { stored: total / 2, discarded: total / 2, dry: 0 }],
  ['would store', true, { stored: 0, discarded: 0, dry: total / 2 }],
])('a backfill that is killed after any checkpoint counts each message that it %s once', async (_, dryRun, expected) => {
  for (const checkpoints of [1, 2, 3, 4]) {
    const { counted, run } = setUp(dryRun)
    await expect(run(checkpoints)).rejects.toThrow('The process was killed.')
    await run(Number.POSITIVE_INFINITY)
    expect(counted).toEqual(expected)
  }
})
