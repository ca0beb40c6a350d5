import type { Id } from '@caseway/kit/caller'
import type { ChangedMail } from './changed-mail.js'
import type { Feed } from './feed.js'

/** An event as a reader gets it: `data` is JSON. */
export interface LiveEvent {
  readonly event: 'counter' | 'issue' | 'mail' | 'notification' | 'reset'
  readonly data: string
}

/** How the readers of one feed see what changed. */
export interface LiveView {
  issues(ids: readonly Id[]): Promise<ReadonlyMap<Id, LiveEvent>>
  /** The present counters of each user who has some. */
  counters(userIds: readonly Id[]): Promise<ReadonlyMap<Id, LiveEvent>>
  /** Those of `ids` that are the reader's, which none of the others sees. */
  notifications(ids: readonly Id[]): Promise<readonly LiveEvent[]>
  /** Those of the messages that the reader reads; undefined when that is not known at this moment. */
  mail(mail: ChangedMail): Promise<readonly LiveEvent[] | undefined>
}

/** One live stream. */
export interface Reader {
  readonly feed: Feed
  readonly view: LiveView
  readonly userId: Id
  /** The key of the person, see `subjectKey`: clients and employees have ids of their own. */
  readonly person: string
  readonly sessionId: string
  /** The revision up to which it has been sent. */
  position: bigint
  /** Nothing was sent yet: it begins with the present state. */
  fresh: boolean
  /** `id` stands for everything up to now. */
  send(events: readonly LiveEvent[], id: string): void
  keepAlive(): void
  end(): void
}
