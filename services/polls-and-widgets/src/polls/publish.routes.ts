import { type Employee, experts, type Id } from '@caseway/kit/caller'
import { action, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import { pollResource, pollRight } from './poll.resource.js'

const Published = Type.Object({ status: Type.Literal('OK'), version: Type.Integer({ minimum: 1 }) })

interface Polls {
  publish(caller: Employee, id: Id, expected?: number): Promise<number>
}

export const publishRoutes = (polls: Polls): Routes =>
  action(
    pollResource,
    {
      ...{ method: 'POST', path: ':id/publish', operationId: 'publishPoll', versioned: true },
      summary: 'Publishes the present state of the poll as a version, which never changes and is answered from now on.',
      roles: experts,
      right: pollRight,
      answers: { 200: { description: 'The published version.', ...Published } },
    },
    async ({ caller, id, expected }) => ({ status: 'OK', version: await polls.publish(caller, id, expected) }),
  )
