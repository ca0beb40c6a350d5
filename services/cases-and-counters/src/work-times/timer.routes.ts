import { action, created, ok, type Routes, wrappedBody } from '@caseway/kit/http'
import { workTimeResource } from './work-time.resource.js'
import type { WorkTimeService } from './work-time.service.js'

const { issue_id, kind } = workTimeResource.fields

/** The timer of the caller, of which at most one runs. */
export const timerRoutes = (workTimes: WorkTimeService): Routes => [
  action(
    workTimeResource,
    {
      method: 'POST',
      path: 'start',
      operationId: 'startWorkTime',
      body: wrappedBody('WorkTime', { issue_id, kind }),
      answers: { 201: created },
    },
    ({ caller, body }) => workTimes.start(caller, body),
  ),
  action(workTimeResource, { method: 'POST', path: 'stop', operationId: 'stopWorkTime', answers: { 200: ok } }, ({ caller }) =>
    workTimes.stop(caller),
  ),
]
