import { notFound } from '@caseway/kit/errors'
import type { LinkableObjects } from '@caseway/kit/objects'
import type { IssueRepository } from './issue.repository.js'

/** Employees attach files to cases, which only employees see. */
export const linkableIssues = ({ linkable }: Pick<IssueRepository, 'linkable'>): LinkableObjects => ({
  some: linkable,

  async require({ role }) {
    if (role === 'client') throw notFound()
  },
})
