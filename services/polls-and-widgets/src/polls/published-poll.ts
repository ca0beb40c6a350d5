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

/** A poll that can be answered, and the widget at whose hash it was asked for. */
export interface OpenPoll extends PublishedPoll {
  readonly customerId: Id
  readonly externalHash: string
  readonly url: string
}

export interface PollVersion {
  readonly version: number
  readonly questions: readonly Question[]
}

export const isClosed = ({ closesAt }: Pick<PublishedPoll, 'closesAt'>) => closesAt !== null && closesAt <= new Date()

export interface PublishedPolls {
  /** The newest that was published for the widget, or for all of its office. */
  find(customerId: Id, widgetId: Id): Promise<PublishedPoll | undefined>
  /** The same for the widget with a hash, of whatever office, unless it has closed. */
  findOpen(hash: string): Promise<OpenPoll | undefined>
  /** All versions of a poll, the newest first. */
  versions(customerId: Id, pollId: Id): Promise<PollVersion[]>
}
