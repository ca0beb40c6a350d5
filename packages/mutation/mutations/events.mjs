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
    ['await connection.query(`LISTEN ${relayChannel}`)', '', 'publishes old and new events in order'],
    [
      "if (!unfinished) return 'failed'",
      "if (!unfinished) {\n      await finish(events)\n      return 'failed'\n    }",
      'publishes again, in the same order, when the transport rejects',
    ],
    [
      '    await deletePublished(\n      connection,\n      events.map(({ id }) => id),\n    )\n',
      '',
      'deletes the published events before it stops',
    ],
    ['without: pending.keys()', 'without: []', 'delays later events of its key only', relayOrder],
    ['published > 1 ? busyFactor * gatherMs : gatherMs', 'gatherMs', 'waits longer for more events after a publication of several'],
  ]),
  ...of('packages/kit/src/events/kafka/offsets.ts', offsets, [
    ['assigned = new Map()', '', 'are not committed for partitions that were assigned before a rebalance'],
    ['if (!stopped) commitLater()', '', 'are part of the next commit when one has failed'],
    ['if (stopped) await commit()\n        else commitLater()', 'commitLater()', 'and later ones at once'],
  ]),
  ...of('packages/kit/src/events/kafka/persistence.ts', 'packages/kit/src/events/kafka/persistence.test.ts', [
    ['throw await unlessAborted(stopping.signal, subscribed.ended)', 'return', 'that has ended by itself'],
    ['await previous?.stop().catch(', 'await (async () => undefined)().catch(', 'that has ended by itself'],
    [".catch((err: unknown) => log.debug({ err }, 'a subscription that has ended could not be stopped'))", '', 'that has ended by itself'],
  ]),
  ...of('packages/kit/src/events/kafka/deliveries.ts', 'packages/kit/src/events/kafka/deliveries.test.ts', [
    ['running.get(position) ?? begin(', 'begin(', 'late records join the same run when they are delivered again'],
    ['known < 0 ? others.length : known', 'others.length', 'late records join the same run when they are delivered again'],
    ['      forget(run)\n      // One', '      // One', 'records that fail together are handled together again'],
    ['run.records[0].position === position ?', 'true ?', 'records that are delivered again from the middle of a run wait for its end'],
    ['await running.get(position)?.ended', 'undefined', 'resolves when a late run has ended'],
  ]),
  ...of('packages/kit/src/events/outbox-rows.ts', relay, [
    ['ORDER BY id LIMIT $4', 'ORDER BY id DESC LIMIT $4', 'publishes old and new events in order'],
    ['WHERE published_at IS NULL AND id >= $1', 'WHERE id >= $1', 'ignores events that a relay of an older build has marked as published'],
    ["ce_specversion: '1.0',", '', 'writes the headers of CloudEvents'],
  ]),
  ...of('packages/kit/src/events/inbox.ts', consumer, [
    ['return inserted === 1', 'return true', 'has an effect once'],
    [' ON CONFLICT DO NOTHING', '', 'has an effect once'],
  ]),
  ...of('packages/kit/src/events/delivery.ts', consumer, [
    ['if (db) await keepDeadLetter(db, consumer, record, err)', '', 'has five tries, then the event is a dead letter'],
    ['} catch {\n        return false', '} catch {\n        return true', 'that fails is handled one by one', batches],
    [' || records.some(invalidReason)', '', 'with an invalid record is not handled', batches],
    ["outcome: 'handled' }, records.length)", "outcome: 'handled' })", 'counts in the metrics as all of its events', batches],
  ]),
  ...of('packages/kit/src/events/dead-letter.ts', deadLetters, [
    ["await run(db, 'DELETE FROM kit.dead_letter WHERE id = $1', [letter.letterId])", '', 'passes all of them to their consumer'],
  ]),
  ...of('packages/kit/src/events/copy.ts', copy, [
    ['if (!state) await readPages(db, copy)', 'if (true) await readPages(db, copy)', 'an empty copy is filled, once'],
    ['await copy.endForgotten?.()', '{}', 'a resync ends rows that the owner no longer has'],
    ['AND stale_since = $2::timestamptz', 'AND $2::timestamptz IS NOT NULL', 'a resync ends rows that the owner no longer has'],
  ]),
  ...of('packages/kit/src/events/direct-group.ts', direct, [
    [
      'if (!handle) throw new Error(`The group ${name} has no member that handles events.`)',
      'if (!handle) return',
      'while a group has no members, but only if it has subscribed before',
    ],
  ]),
  ...of('packages/kit/src/events/direct-transport.ts', direct, [
    ['if (failed) throw failed.reason', '', 'while a group has no members, but only if it has subscribed before'],
    ['await opened.promise', '', 'delays publications until it is opened, and rejects them when it is stopped'],
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
      'keeps inbox rows for 30 days and dead letters for 90',
    ],
  ]),
]
