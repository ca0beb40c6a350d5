import type { Id } from '@caseway/kit/caller'
import type { ChangedMail } from './changed-mail.js'
import type { Feed } from './feed.js'

/** An event of a stream; `data` is JSON. */
export interface LiveEvent {
  readonly event: 'counter' | 'issue' | 'mail' | 'notification' | 'reset'
  readonly data: string
}

/** Reads the changed records as a reader of the feed sees them. */
export interface LiveView {
  issues(ids: readonly Id[]): Promise<ReadonlyMap<Id, LiveEvent>>
  /** The present counters of these users; one who has none may be missing. */
  counters(userIds: readonly Id[]): Promise<ReadonlyMap<Id, LiveEvent>>
  /** Those of `ids` that belong to the reader. */
  notifications(ids: readonly Id[]): Promise<readonly LiveEvent[]>
  /** The changed messages as the reader sees them; undefined while mail does not answer. */
  mail(mail: ChangedMail): Promise<readonly LiveEvent[] | undefined>
}

/** A live stream. */
export interface Reader {
  readonly feed: Feed
  readonly view: LiveView
  readonly userId: Id
  /** The key of the person (`subjectKey`), because ids of clients and employees overlap. */
  readonly person: string
  readonly sessionId: string
  /** The revision up to which it was served. */
  position: bigint
  /** Whether nothing was sent yet; the first delivery contains the present counters. */
  fresh: boolean
  /** `id` is the event id up to which these events bring the reader. */
  send(events: readonly LiveEvent[], id: string): void
  keepAlive(): void
  end(): void
}
