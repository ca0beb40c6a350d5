import { platform } from '@caseway/kit/database'
import {
  createDirectTransport,
  type EventRecord,
  type EventTransport,
  outbox,
  type RelayOptions,
  type Running,
  startRelay,
} from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { log, type Notes } from './notes.js'
import { userEvent, userTopic } from './people.js'

/** So long that a relay finds events by notifications only. */
const neverPoll = 60_000

export const idOf = ({ payload }: EventRecord) => UserEvent.decode(payload).id
export const oneToTen = Array.from({ length: 10 }, (_, index) => BigInt(index + 1))

/** A transport that records what is published, after `publish` has resolved. */
export function recorder(publish?: (records: readonly EventRecord[]) => Promise<void>) {
  const published: EventRecord[] = []
  const transport: EventTransport = {
    ...createDirectTransport(),
    async publish(records) {
      await publish?.(records)
      published.push(...records)
      return []
    },
  }
  return { transport, published, ids: () => published.map(idOf) }
}

/** Starts relays on the database of a test. */
export function relaysOf(notes: () => Notes) {
  const running: Running[] = []
  return {
    relay(transport: EventTransport, options: Partial<RelayOptions> = {}): Running {
      const { db, metrics } = notes()
      const started = startRelay({ db, transport, log, metrics, pollMs: neverPoll, ...options })
      running.push(started)
      return started
    },
    emit: (...ids: bigint[]) =>
      notes().db.write(platform, async (tx) => {
        for (const id of ids) await outbox(tx, userTopic, userEvent(id))
      }),
    /** Terminates the connection of the leading relay. */
    killLeader: () =>
      notes().rows(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
    stopAll: () => Promise.all(running.splice(0).map((relay) => relay.stop())),
  }
}
