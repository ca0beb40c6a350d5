import { forbidden, notFound } from '@caseway/kit/errors'
import type { LinkableObjects } from '@caseway/kit/objects'
import { mayChange } from './comment.js'
import type { CommentRepository, LinkableComment } from './comment.repository.js'

/** Whoever may change a comment may attach files to it. */
export const linkableComments = ({ linkable }: Pick<CommentRepository, 'linkable'>): LinkableObjects<LinkableComment> => ({
  some: linkable,

  async require(linker, comment) {
    if (linker.role === 'client') throw notFound()
    if (!mayChange(linker, comment)) throw forbidden()
  },
})
