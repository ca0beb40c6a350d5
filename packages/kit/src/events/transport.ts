/** An event in the form that all transports share. */
export interface EventRecord {
  readonly topic: string
  readonly key: string
  /** The event's UUID: the same at every delivery. */
  readonly id: string
  readonly payload: Uint8Array
  /** CloudEvents attributes (`ce_id`, …), `content-type` and, when there is one, `traceparent`. */
  readonly headers: Readonly<Record<string, string>>
  readonly time: Date
}

/** Records of one topic, in the order in which they are to be handled. */
export type EventRecords = readonly [EventRecord, ...EventRecord[]]

export interface Subscription {
  /** Copies of one service share a group and so the records. */
  readonly group: string
  readonly topics: readonly string[]
  /**
   * Resolves when the record is handled for good. After a rejection the transport delivers it again, but never while an earlier delivery still runs.
   * @param abandoned aborted when the record is no longer this copy's: another may have it already
   */
  handle(record: EventRecord, abandoned?: AbortSignal): Promise<void>
  /** How several records can be handled together. A transport need not do it. */
  readonly batches?: {
    readonly topics: ReadonlySet<string>
    /** Resolves with whether they are handled for good. Where they are not, each of them is brought to `handle`: some may be handled already. */
    handle(records: EventRecords): Promise<boolean>
  }
  /**
   * Called with the topics of which the transport has deleted records before the group took them; nothing that came after them is handled
   * until it resolves. Not for a broadcast, which promises nothing.
   */
  onGap?(topics: readonly string[]): Promise<void>
  /** Every copy receives every record, from now on; what is published while a copy is away is lost to it. */
  readonly broadcast?: boolean
}

export interface Running {
  stop(): Promise<void>
}

/** A record that is being delivered, and is not handled yet. */
export interface Pending {
  readonly record: EventRecord
  /** Settles when no handler works on the record any more. A rejection means that it must be published again. */
  readonly handled: Promise<void>
}

/**
 * Carries records from a relay to the subscribed groups: at least once, and in order for one key of one topic.
 */
export interface EventTransport {
  /** What traces call it: `kafka`, `direct`. */
  readonly system: string
  /**
   * Resolves when all records are safe with the transport, apart from those that it returns: nothing of their keys may be published until
   * they are settled. After a rejection all of them must be published again.
   */
  publish(records: readonly EventRecord[]): Promise<readonly Pending[]>
  /** Resolves when the subscription takes part, or after a few seconds when the transport is away: then it takes part as soon as it can. */
  subscribe(subscription: Subscription): Promise<Running>
  /** False when a subscription has received nothing from the transport for so long that its process should be restarted. */
  healthy(): boolean
  /** False while a subscription may be missing records: it has not joined yet, or has received nothing from the transport for 5 seconds. */
  receiving(): boolean
  stop(): Promise<void>
}
