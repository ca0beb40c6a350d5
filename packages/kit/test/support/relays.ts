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

/** Long enough that what a test sees was not found by polling. */
const neverPoll = 60_000

export const idOf = ({ payload }: EventRecord) => UserEvent.decode(payload).id
export const oneToTen = Array.from({ length: 10 }, (_, index) => BigInt(index + 1))

/** A transport that keeps what it is given, or does what `publish` says. */
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

/** The relays of a test, on its database. */
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
    /** Ends the connection of the relay that leads. */
    killLeader: () =>
      notes().rows(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
    stopAll: () => Promise.all(running.splice(0).map((relay) => relay.stop())),
  }
}
