import { action, bodyWriter, created, ok, parsedBody, type Routes } from '@caseway/kit/http'
import { type NewTimer, workTimeResource } from './work-time.resource.js'
import type { WorkTimeService } from './work-time.service.js'

const { issue_id, kind } = workTimeResource.fields

/** The timer of the caller, of which at most one runs. */
export const timerRoutes = (workTimes: WorkTimeService): Routes => {
  const write = bodyWriter(workTimes.timerErrors)
  return [
    action(
      workTimeResource,
      {
        method: 'POST',
        path: 'start',
        operationId: 'startWorkTime',
        body: parsedBody('WorkTime', { issue_id, kind }),
        answers: { 201: created },
      },
      ({ caller, body }) => write(caller, body, () => workTimes.start(caller, body.values as NewTimer)),
    ),
    action(workTimeResource, { method: 'POST', path: 'stop', operationId: 'stopWorkTime', answers: { 200: ok } }, ({ caller }) =>
      workTimes.stop(caller),
    ),
  ]
}
