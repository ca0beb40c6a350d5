import type { Id } from '@caseway/kit/caller'
import type { Block, Question } from '../blocks/block.js'

/** A published version of a poll. */
export interface PublishedPoll {
  readonly pollId: Id
  readonly version: number
  readonly name: string
  readonly blocks: readonly Block[]
  readonly closesAt: Date | null
}

/** The public view of a widget, for those who know its hash. */
export interface PublishedWidget {
  readonly id: Id
  readonly customerId: Id
  readonly externalHash: string
  readonly url: string
  readonly settings: string | null
  /** The newest published poll for the widget, or for all widgets of its office. */
  readonly poll: PublishedPoll | undefined
}

export interface PollVersion {
  readonly version: number
  readonly questions: readonly Question[]
}

export const isClosed = ({ closesAt }: Pick<PublishedPoll, 'closesAt'>) => closesAt !== null && closesAt <= new Date()

export interface PublishedPolls {
  /**
   * The widget with this hash, of any office, because visitors have no token.
   * @param customerId where given, only a widget of this office is found
   */
  find(hash: string, customerId?: Id): Promise<PublishedWidget | undefined>
  /** All versions of a poll, the newest first. */
  versions(customerId: Id, pollId: Id): Promise<PollVersion[]>
}
