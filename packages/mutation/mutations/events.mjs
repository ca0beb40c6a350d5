import { of } from './of.mjs'

const relay = 'packages/kit/test/events/relay.test.ts'
const relayOrder = 'packages/kit/test/events/relay-order.test.ts'
const offsets = 'packages/kit/src/events/kafka/offsets.test.ts'
const deadLetters = 'packages/kit/test/events/dead-letters.test.ts'
const batches = 'packages/kit/test/events/batch-consumer.test.ts'
const consumer = 'packages/kit/test/events/consumer.test.ts'
const copy = 'packages/kit/test/events/copy.test.ts'
const direct = 'packages/kit/test/transport-direct.test.ts'
const purge = 'packages/kit/test/purge/purge.test.ts'

/** From the outbox to the effect. */
export default [
  ...of('packages/kit/src/events/leader.ts', relay, [
    ['await connection.query(`LISTEN ${relayChannel}`)', '', 'wakened by the write'],
    [
      "if (!left) return 'failed'",
      "if (!left) {\n      await finish(events)\n      return 'failed'\n    }",
      'publishes again what the transport did not take',
    ],
    ['    await deletePublished(\n      connection,\n      events.map(({ id }) => id),\n    )\n', '', 'deletes what was published'],
    ['without: pending.keys()', 'without: []', 'holds back what comes of its key', relayOrder],
    ['published > 1 ? busyFactor * gatherMs : gatherMs', 'gatherMs', 'waits longer for more after a publication of several'],
  ]),
  ...of('packages/kit/src/events/kafka/offsets.ts', offsets, [
    ['assigned = new Map()', '', 'is not committed of partitions that were assigned before'],
    ['if (!stopped) commitLater()', '', 'is committed by the next commit when one has failed'],
    ['if (stopped) await commit()\n        else commitLater()', 'commitLater()', 'is committed at the end, and what ends later at once'],
  ]),
  ...of('packages/kit/src/events/kafka/persistence.ts', 'packages/kit/src/events/kafka/persistence.test.ts', [
    ['throw await unlessAborted(stopping.signal, subscribed.ended)', 'return', 'that has ended by itself'],
    ['await left?.stop().catch(', 'await (async () => undefined)().catch(', 'that has ended by itself'],
    [".catch((err: unknown) => log.debug({ err }, 'a subscription that has ended could not be stopped'))", '', 'that has ended by itself'],
  ]),
  ...of('packages/kit/src/events/kafka/deliveries.ts', 'packages/kit/src/events/kafka/deliveries.test.ts', [
    ['running.get(position) ?? begin(', 'begin(', 'meet the same run when they come again'],
    ['known < 0 ? others.length : known', 'others.length', 'meet the same run when they come again'],
    ['      forget(run)\n      // One', '      // One', 'that fail together come again together'],
    ['run.records[0].position === position ?', 'true ?', 'in the middle of a run'],
    ['await running.get(position)?.ended', 'undefined', 'says when the run that was late has ended'],
  ]),
  ...of('packages/kit/src/events/outbox-rows.ts', relay, [
    ['ORDER BY id LIMIT $4', 'ORDER BY id DESC LIMIT $4', 'publishes in order what was there and what comes'],
    ['WHERE published_at IS NULL AND id >= $1', 'WHERE id >= $1', 'leaves alone what a relay of an older build has marked'],
    ["ce_specversion: '1.0',", '', 'writes the headers of CloudEvents'],
  ]),
  ...of('packages/kit/src/events/inbox.ts', consumer, [
    ['return inserted === 1', 'return true', 'has an effect once'],
    [' ON CONFLICT DO NOTHING', '', 'has an effect once'],
  ]),
  ...of('packages/kit/src/events/delivery.ts', consumer, [
    ['if (db) await keepDeadLetter(db, consumer, record, err)', '', 'has five tries, then the event is a dead letter'],
    ['} catch {\n        return false', '} catch {\n        return true', 'that fails is brought one by one', batches],
    [' || records.some(invalidReason)', '', 'with one that cannot be an event', batches],
    ["outcome: 'handled' }, records.length)", "outcome: 'handled' })", 'counts with every event', batches],
  ]),
  ...of('packages/kit/src/events/dead-letter.ts', deadLetters, [
    ["await run(db, 'DELETE FROM kit.dead_letter WHERE id = $1', [letter.letterId])", '', 'brings all of them, oldest first'],
  ]),
  ...of('packages/kit/src/events/copy.ts', copy, [
    ['if (!state) await readPages(db, copy)', 'if (true) await readPages(db, copy)', 'an empty copy is filled, once'],
    ['await copy.endForgotten?.()', '{}', 'ends what its owner has lost'],
    ['AND stale_since = $2::timestamptz', 'AND $2::timestamptz IS NOT NULL', 'not while another one has begun'],
  ]),
  ...of('packages/kit/src/events/direct-group.ts', direct, [
    [
      'if (!handle) throw new Error(`Nobody of ${name} is there to take events.`)',
      'if (!handle) return',
      'refuses what a group that is away should hear',
    ],
  ]),
  ...of('packages/kit/src/events/direct-transport.ts', direct, [
    ['if (failed) throw failed.reason', '', 'refuses what a group that is away should hear'],
    ['await opened.promise', '', 'holds publications until it is opened'],
  ]),
  ...of('packages/kit/src/purge/purge.ts', purge, [
    [
      "table: 'kit.idempotency_key', column: 'created', keepMs: dayMs",
      "table: 'kit.idempotency_key', column: 'created', keepMs: dayMs / 24",
      'keeps idempotency keys for 24 hours',
    ],
    [
      "table: 'kit.inbox', column: 'created', keepMs: 30 * dayMs",
      "table: 'kit.inbox', column: 'created', keepMs: dayMs",
      'keeps what the inbox knows for 30 days',
    ],
  ]),
]
