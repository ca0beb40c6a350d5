import { type Routes, resourceRoutes } from '@caseway/kit/http'
import { clientIssueResource } from './client-issue.resource.js'
import type { ClientIssueService } from './client-issue.service.js'

/** A client names the office in the body, or in the query as they do for files. */
export const clientIssueRoutes =
  (issues: ClientIssueService): Routes =>
  (app) => {
    app.addHook('preHandler', async ({ method, query, body }) => {
      const { customer_id: customerId } = query as { customer_id?: unknown }
      const sent = (body as { Issue?: unknown } | undefined)?.Issue
      if (method !== 'POST' || customerId === undefined || !(sent instanceof Object) || Array.isArray(sent)) return
      Object.assign(body as object, { Issue: { customer_id: customerId, ...sent } })
    })
    return resourceRoutes(clientIssueResource, issues)(app)
  }
