import { notFound } from '@caseway/kit/errors'
import type { Block } from '../blocks/block.js'
import { isClosed, type PublishedPoll, type PublishedPolls, type PublishedWidget } from './published-poll.js'

/** The `poll_id` in the header of an answer, which names the widget. */
const pollIdOf = ({ customerId, externalHash }: Pick<PublishedWidget, 'customerId' | 'externalHash'>) => `${customerId}-${externalHash}`

/** An open poll, with the `url` and the office of its widget. */
export interface OpenPoll extends PublishedPoll, Pick<PublishedWidget, 'url' | 'customerId'> {}

export const publicPollService = (polls: Pick<PublishedPolls, 'find'>) => ({
  /**
   * The open poll of a widget, with the header for its answers.
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
