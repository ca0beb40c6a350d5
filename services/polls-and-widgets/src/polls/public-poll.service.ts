import { notFound } from '@caseway/kit/errors'
import type { Block } from '../blocks/block.js'
import { isClosed, type PublishedPoll, type PublishedPolls, type PublishedWidget } from './published-poll.js'

/** How the header of an answer names a widget. */
const pollIdOf = ({ customerId, externalHash }: Pick<PublishedWidget, 'customerId' | 'externalHash'>) => `${customerId}-${externalHash}`

/** A poll that can be answered, at the widget with this `url` of this office. */
export interface OpenPoll extends PublishedPoll, Pick<PublishedWidget, 'url' | 'customerId'> {}

export const publicPollService = (polls: Pick<PublishedPolls, 'find'>) => ({
  /**
   * The poll with the header that an answer begins with.
   * @throws AppError `not-found` for an unknown widget, and where there is no poll that can be answered
   */
  async get(hash: string): Promise<OpenPoll> {
    const widget = await polls.find(hash)
    if (!widget?.poll || isClosed(widget.poll)) throw notFound()
    const { poll, url, customerId } = widget
    const header: Block = { type: 'header', data: { poll_id: pollIdOf(widget) } }
    return { ...poll, url, customerId, blocks: [header, ...poll.blocks.filter(({ type }) => type !== 'header')] }
  },
})

export type PublicPollService = ReturnType<typeof publicPollService>
