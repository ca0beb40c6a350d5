import { notFound } from '@caseway/kit/errors'
import type { Block } from '../blocks/block.js'
import type { OpenPoll, PublishedPolls } from './published-poll.js'

/** How the header of an answer names a widget. */
export const pollIdOf = ({ customerId, externalHash }: Pick<OpenPoll, 'customerId' | 'externalHash'>) => `${customerId}-${externalHash}`

export const publicPollService = (polls: Pick<PublishedPolls, 'findOpen'>) => ({
  /**
   * The poll with the header that an answer begins with.
   * @throws AppError `not-found` for an unknown widget, and where there is no poll that can be answered
   */
  async get(hash: string): Promise<OpenPoll> {
    const poll = await polls.findOpen(hash)
    if (!poll) throw notFound()
    const header: Block = { type: 'header', data: { poll_id: pollIdOf(poll) } }
    return { ...poll, blocks: [header, ...poll.blocks.filter(({ type }) => type !== 'header')] }
  },
})

export type PublicPollService = ReturnType<typeof publicPollService>
