import { readEventState } from './event-state.js'
import { lead } from './leader.js'
import { runAsLeader } from './leadership.js'
import type { RelayOptions } from './relay-options.js'
import type { Running } from './transport.js'

/** The key of the advisory lock that the leading relay holds in the service's database. */
const leaderLock = 1801745505
const gaugeEveryMs = 5000

/**
 * Publishes a service's outbox. One of all copies is the leader (see `runAsLeader`) and publishes the events in order. An event is deleted after it was
 * published, so that a crash repeats events but loses none. An event that is blocked delays only later events of its key.
 */
export function startRelay(options: RelayOptions): Running {
  const { graceMs = 5000 } = options
  const givingUp = new AbortController()
  const gauge = setInterval(() => void showState(options), gaugeEveryMs).unref()
  void showState(options)

  const relay = runAsLeader({ ...options, lock: leaderLock, name: 'the relay' }, (connection, over, lost) =>
    lead(connection, options, over, AbortSignal.any([givingUp.signal, lost])),
  )
  return {
    async stop() {
      clearInterval(gauge)
      const grace = setTimeout(() => givingUp.abort(new Error('The relay was stopped.')), graceMs)
      await relay.stop()
      clearTimeout(grace)
    },
  }
}

/** Exports the state of the outbox as metrics. Every copy does, so that they are there when no copy leads. */
async function showState({ db, metrics, log }: RelayOptions): Promise<void> {
  try {
    const { oldestSeconds, unpublished, deadLetters } = await readEventState(db)
    metrics.outboxOldest.set(oldestSeconds)
    metrics.outboxWaiting.set(unpublished)
    metrics.deadLettersWaiting.set(deadLetters)
  } catch (err) {
    log.warn({ err }, 'the state of the outbox could not be read')
  }
}
