/** An encoded event, in the form that all transports share. */
export interface EventRecord {
  readonly topic: string
  readonly key: string
  /** The UUID of the event, the same at every delivery. */
  readonly id: string
  readonly payload: Uint8Array
  /** CloudEvents attributes (`ce_id`, …), `content-type` and, when there is one, `traceparent`. */
  readonly headers: Readonly<Record<string, string>>
  /** When the event was written to the outbox. */
  readonly time: Date
}

/** One or more records of one topic, in the order in which they must be handled. */
export type EventRecords = readonly [EventRecord, ...EventRecord[]]

export interface Subscription {
  /** The consumer group. Each record is delivered to one member; copies of one service are members of one group. */
  readonly group: string
  readonly topics: readonly string[]
  /**
   * Resolves when the record is handled. After a rejection the transport delivers it again, but never while an earlier delivery still runs.
   * @param abandoned aborted when the record is no longer assigned to this copy: another one may receive it
   */
  handle(record: EventRecord, abandoned?: AbortSignal): Promise<void>
  /** The topics whose records can be handled together. A transport may ignore it. */
  readonly batches?: {
    readonly topics: ReadonlySet<string>
    /** Resolves to whether the records are handled. Otherwise each of them is passed to the `handle` above, although some may have been handled. */
    handle(records: EventRecords): Promise<boolean>
  }
  /**
   * Called with the topics of which the transport has deleted records that the group had not received. Later records are not handled until it resolves.
   * Never called for a broadcast.
   */
  onGap?(topics: readonly string[]): Promise<void>
  /** Whether every copy receives every record, from now on. A copy misses records that are published while it does not run. */
  readonly broadcast?: boolean
}

export interface Running {
  stop(): Promise<void>
}

/** A record that is still being delivered when `publish` resolves. */
export interface Pending {
  readonly record: EventRecord
  /** Resolves when the record is handled; rejects, when no handler runs for it any more, if it must be published again. */
  readonly handled: Promise<void>
}

/**
 * Delivers records from a relay to the subscribed groups: at least once, and in order for each key of a topic.
 */
export interface EventTransport {
  /** The name of the transport in traces: `kafka` or `direct`. */
  readonly system: string
  /**
   * Resolves when the transport has taken over all records, except for those that it returns: until these are settled, no further records of their keys may
   * be published. After a rejection all records must be published again.
   */
  publish(records: readonly EventRecord[]): Promise<readonly Pending[]>
  /** Resolves when the subscription has joined its group, or after a few seconds when the transport is unavailable: then it joins as soon as possible. */
  subscribe(subscription: Subscription): Promise<Running>
  /** False when a subscription has received nothing from the transport for so long that its process should be restarted. */
  healthy(): boolean
  /** False while a subscription may be missing records: it has not joined yet, or has received nothing from the transport for 5 seconds. */
  receiving(): boolean
  stop(): Promise<void>
}
