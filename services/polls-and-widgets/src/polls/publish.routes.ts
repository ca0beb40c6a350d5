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
      summary: 'The poll as it is now is what is answered from now on. Its version never changes.',
      roles: experts,
      right: pollRight,
      answers: { 200: { description: 'The version that is answered.', ...Published } },
    },
    async ({ caller, id, expected }) => ({ status: 'OK', version: await polls.publish(caller, id, expected) }),
  )
