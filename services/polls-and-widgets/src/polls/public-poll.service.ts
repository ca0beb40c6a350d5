import type { Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { Block } from '../blocks/block.js'
import { isClosed, type PublishedPoll, type PublishedPolls } from './published-poll.js'

interface Widget {
  readonly id: Id
  readonly customerId: Id
  readonly externalHash: string
  readonly url: string
}

export interface Widgets {
  /** @throws AppError `not-found` */
  getByHash(hash: string): Promise<Widget>
}

export interface PublicPoll extends Pick<PublishedPoll, 'name' | 'version' | 'closesAt'> {
  readonly widget: Widget
  /** With the header that an answer begins with. */
  readonly blocks: readonly Block[]
}

/** How the header of an answer names a widget. */
export const pollIdOf = ({ customerId, externalHash }: Widget) => `${customerId}-${externalHash}`

export const publicPollService = (polls: Pick<PublishedPolls, 'find'>, widgets: Widgets) => ({
  /** @throws AppError `not-found` for an unknown widget, and where there is no poll that can be answered */
  async get(hash: string): Promise<PublicPoll> {
    const widget = await widgets.getByHash(hash)
    const poll = await polls.find(widget.customerId, widget.id)
    if (!poll || isClosed(poll)) throw notFound()
    const header: Block = { type: 'header', data: { poll_id: pollIdOf(widget) } }
    return { ...poll, widget, blocks: [header, ...poll.blocks.filter(({ type }) => type !== 'header')] }
  },
})

export type PublicPollService = ReturnType<typeof publicPollService>
