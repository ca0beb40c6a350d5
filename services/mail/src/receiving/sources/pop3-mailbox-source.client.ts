import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pTimeout from 'p-timeout'
import { MailConnectionError } from '../../mail-connections/mail-connection-error.js'
import type { MailboxAccess } from '../../mail-connections/mailbox-access.js'
import type { Pop3Connection } from '../../mail-connections/pop3-connection.js'
import { type KnownUidls, pop3Path } from '../folders/remote-folder.js'
import type { LightMessage, MailboxSource } from './mailbox-source.js'
import { receivedDate } from './received-date.js'

type Account = Pick<MailboxAccess, 'serverAddress' | 'userLogin'>

interface Listed {
  /** The message number within this connection. */
  readonly number: number
  readonly uidl: string
  readonly size: number
}

/**
 * Takes the place of UIDVALIDITY: unique ids are unique within one account (RFC 1939, 7). It exceeds the 32 bits of IMAP (RFC 9051, 2.3.1.1), so that
 * a mailbox that was received over IMAP before begins a new epoch.
 */
const uidValidityOf = ({ serverAddress, userLogin }: Account) =>
  2n ** 32n + BigInt(createHash('sha256').update(`${serverAddress} ${userLogin}`).digest().readUInt32BE())

/** The limit for the bytes of a message, which may be larger than its server reports: some count a line end as one byte. */
const maxBytesOf = ({ size }: Listed) => 2 * size + 1_048_576

/** RFC 1939, 7 allows at most 70 characters; some servers use more. An id that cannot be stored is replaced by its hash. */
const uidlOf = (id: string): string => (/^[\x21-\x7e]{1,255}$/.test(id) ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`)

/**
 * A mailbox on a POP3 server: one folder, whose messages have no flags, UIDs or dates of arrival. Nothing is deleted there. A server that allows one
 * connection at a time refuses a second one, which is tried again later.
 */
export function pop3MailboxSource(connection: Pop3Connection, known: KnownUidls, account: Account): MailboxSource {
  const uidValidity = uidValidityOf(account)
  let listed = new Map<bigint, Listed>()
  const dates = new Map<bigint, Date>()

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof MailConnectionError ? error : new MailConnectionError('protocol')
    }
  }

  /** Numbers new messages in the order of the server. Of two with the same unique id, which are the same message (RFC 1939, 7), the first counts. */
  const number = async () => {
    const [uidls, sizes] = [await connection.uniqueIds(), await connection.sizes()]
    const found = new Map<bigint, Listed>()
    const taken = new Set<string>()
    let { lastUid } = known
    for (const [number, id] of [...uidls].sort(([one], [other]) => one - other)) {
      const uidl = uidlOf(id)
      if (taken.has(uidl)) continue
      taken.add(uidl)
      const uid = known.uids.get(uidl) ?? ++lastUid
      found.set(uid, { number, uidl, size: sizes.get(number) ?? 0 })
    }
    return { found, lastUid }
  }

  const ascending = () => [...listed.keys()].sort((one, other) => Number(one - other))

  /** The header of a message. Where the server does not support TOP, which is optional, the whole message is read for it. */
  const headerOf = async (one: Listed): Promise<Uint8Array | null> => {
    const alone = await connection.header(one.number)
    if (alone) return alone
    const message = await connection.retrieve(one.number, maxBytesOf(one))
    return message && (await headOf(message))
  }

  const light = async (uids: readonly bigint[]): Promise<LightMessage[]> => {
    const found: LightMessage[] = []
    for (const uid of uids.toSorted((one, other) => Number(one - other))) {
      const one = listed.get(uid)
      const header = one && (await headerOf(one))
      if (!header) continue
      const internalDate = receivedDate(header)
      dates.set(uid, internalDate)
      found.push({ uid, uidl: one.uidl, size: one.size, internalDate, seen: false, header })
    }
    return found
  }

  const retrieved = async (uid: bigint): Promise<Readable | null> => {
    const one = listed.get(uid)
    return one ? connection.retrieve(one.number, maxBytesOf(one)) : null
  }

  return {
    // A POP3 connection shows the messages that existed when it was opened.
    canWait: false,

    folders: () =>
      guarded(async () => {
        const { found, lastUid } = await number()
        listed = found
        const state = { path: pop3Path, specialUse: 'inbox', uidValidity, uidNext: lastUid + 1n, highestModseq: null }
        return [{ ...state, messages: found.size }]
      }),

    isThere: (path) => path === pop3Path,

    select: async () => ({}),

    uids: async (after) => ascending().filter((uid) => uid > after),

    uidsBetween: (since, before) =>
      guarded(async () => {
        const received = ascending().filter((uid) => uid <= known.lastUid)
        await light(received.filter((uid) => !dates.has(uid)))
        return received.filter((uid) => {
          const date = dates.get(uid)
          return date !== undefined && date >= since && date < before
        })
      }),

    light: (uids) => guarded(() => light(uids)),

    bodies: (uids) =>
      guarded(async () => {
        const bodies = new Map<bigint, Uint8Array>()
        for (const uid of uids) {
          const message = await retrieved(uid)
          if (message) bodies.set(uid, await buffer(message))
        }
        return bodies
      }),

    /** POP3 can only fetch whole messages. */
    texts: async () => new Map(),

    stream: (uid) => guarded(() => retrieved(uid)),

    seenSince: async () => [],

    /** There are no flags, so that none is left to set. */
    setSeen: async () => true,

    wait: async () => true,

    async close() {
      await pTimeout(connection.quit(), { milliseconds: 1000, message: false })
      connection.close()
    },
  }
}

const maxHeaderBytes = 4 * 1_048_576

/** The header of a message. The rest is read as well, so that the connection can be used further. */
async function headOf(message: Readable): Promise<Buffer> {
  let head = Buffer.alloc(0)
  let isWhole = false
  for await (const chunk of message) {
    if (isWhole) continue
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    isWhole = end >= 0 || head.length > maxHeaderBytes
    if (end >= 0) head = head.subarray(0, end + 4)
  }
  return head
}
