import type { Id } from '@caseway/kit/caller'
import type { Block, Question } from '../blocks/block.js'

/** A poll as it is answered. */
export interface PublishedPoll {
  readonly pollId: Id
  readonly version: number
  readonly name: string
  readonly blocks: readonly Block[]
  readonly closesAt: Date | null
}

/** A widget as those who know its hash see it. */
export interface PublishedWidget {
  readonly id: Id
  readonly customerId: Id
  readonly externalHash: string
  readonly url: string
  readonly settings: string | null
  /** The newest that was published for the widget, or for all of its office. */
  readonly poll: PublishedPoll | undefined
}

export interface PollVersion {
  readonly version: number
  readonly questions: readonly Question[]
}

export const isClosed = ({ closesAt }: Pick<PublishedPoll, 'closesAt'>) => closesAt !== null && closesAt <= new Date()

export interface PublishedPolls {
  /**
   * The widget with a hash, of whatever office: who shows a widget to their visitors has no office and no token.
   * @param customerId the only office whose widget it may be
   */
  find(hash: string, customerId?: Id): Promise<PublishedWidget | undefined>
  /** All versions of a poll, the newest first. */
  versions(customerId: Id, pollId: Id): Promise<PollVersion[]>
}
