import type { Employee } from '@caseway/kit/caller'
import { action, idQuery, ok, type Routes, resourceRoutes } from '@caseway/kit/http'
import type { ResourceHandlers } from '@caseway/kit/resource'
import { issueTagResource, type NewIssueTag } from './issue-tag.resource.js'

interface Handlers extends ResourceHandlers<typeof issueTagResource> {
  removePair(caller: Employee, pair: NewIssueTag): Promise<void>
}

const pair = idQuery('issue_id', 'tag_id')

/** POST and DELETE are idempotent: a case has a tag or does not have it. */
export const issueTagRoutes = ({ list, get, create, remove, removePair }: Handlers): Routes => [
  resourceRoutes(issueTagResource, { list, get, create, remove }),
  action(
    issueTagResource,
    { method: 'DELETE', path: '', operationId: 'removeIssueTagPair', query: pair.schema, answers: { 200: ok } },
    ({ caller, query }) => removePair(caller, pair.read(query)),
  ),
]
