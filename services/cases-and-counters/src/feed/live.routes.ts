import { Readable } from 'node:stream'
import { type Client, type Employee, employees, subjectKey, subjectOf } from '@caseway/kit/caller'
import { action, publicAnswerSchemas, type Routes, type Space } from '@caseway/kit/http'
import Type from 'typebox'
import { EventStream } from './event-stream.js'
import { clientFeed, type Feed, officeFeed, revisionOf } from './feed.js'
import type { FeedHub } from './feed-hub.service.js'
import type { LiveViews } from './live-view.service.js'
import type { LiveView, Reader } from './reader.js'
import { type TicketService, ticketLifetimeSeconds } from './ticket.service.js'

type Listener = Employee | Client

export interface LiveParts {
  readonly hub: FeedHub
  readonly tickets: TicketService
  readonly views: LiveViews
}

/** Neither caches nor proxies may buffer a stream. */
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

const Ticket = Type.Object({ ticket: Type.String(), expires_in: Type.Integer() })

const streamSchema = {
  operationId: 'readEventStream',
  tags: ['Live'],
  security: [{ bearer: [] }, {}] as Record<string, string[]>[],
  summary: 'Changes as they happen: `counter`, `issue`, `mail`, `notification`, and `reset` when missed changes cannot be replayed.',
  querystring: Type.Object(
    { ticket: Type.Optional(Type.String({ maxLength: 100, description: 'A ticket instead of a token.' })) },
    { additionalProperties: false },
  ),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  response: publicAnswerSchemas(
    { 200: { description: 'Server-Sent Events.', content: { 'text/event-stream': { schema: Type.String() } } } },
    ...([400, 401, 403, 429, 503] as const),
  ),
}

export const liveRoutes = (parts: LiveParts): Routes => [ticketRoute(parts), streamRoute(parts)]

const ticketRoute = ({ tickets }: LiveParts): Routes =>
  action(
    { name: 'Live', path: 'event' },
    {
      method: 'POST',
      path: 'ticket',
      operationId: 'createEventTicket',
      summary: 'A ticket for one stream, for browsers whose EventSource cannot send a token.',
      answers: { 201: { description: 'Created.', ...Ticket } },
      // Each ticket is a secret of its own, so answers are not stored.
      idempotency: 'none',
    },
    async ({ caller, reply }) => {
      reply.code(201).header('cache-control', 'no-store')
      return { ticket: await tickets.issue(caller), expires_in: ticketLifetimeSeconds }
    },
  )

const streamRoute =
  ({ hub, tickets, views }: LiveParts): Routes =>
  (app) => {
    const { space } = app
    const roles = space.audience === 'client' ? (['client'] as const) : employees
    const byToken = space.authenticate(roles)

    // Public, because a ticket is not a token; without a ticket the route authenticates by itself.
    const config = { public: true, roles, longLived: true }
    app.get('/event/stream', { schema: streamSchema, config }, async (request, reply) => {
      const { 'last-event-id': lastEventId } = request.headers
      const { ticket } = request.query
      if (ticket === undefined) await byToken(request)
      const listener = (ticket === undefined ? request.caller : await tickets.redeem(ticket, space.audience)) as Listener
      hub.requireSession(listener.sessionId)
      // HEAD has only headers: there is no reader to attach, and no stream to end.
      if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]))
      const stream = new EventStream()
      const feed: Feed = listener.role === 'client' ? clientFeed(listener.userId) : officeFeed(listener.customerId)
      // Read before the head of the answer is sent: a client that has received the head and then reads a case gets every later change.
      const position = lastEventId ? revisionOf(feed, lastEventId) : await hub.position(feed)
      const view = viewOf(views, listener, space)
      const reader = readerOf(stream, listener, { feed, view, position, fresh: !lastEventId })
      hub.attach(reader)
      stream.once('close', () => hub.detach(reader))
      // The head of the answer is sent with the first bytes, and there may be no change for long.
      stream.keepAlive()
      return reply.headers(headers).send(stream)
    })
  }

const viewOf = (views: LiveViews, listener: Listener, { zones }: Space): LiveView =>
  listener.role === 'client' ? views.client(listener, zones) : views.employee(listener, zones)

function readerOf(stream: EventStream, listener: Listener, place: Pick<Reader, 'feed' | 'view' | 'position' | 'fresh'>): Reader {
  const { userId, sessionId } = listener
  return {
    ...place,
    userId,
    person: subjectKey(subjectOf(listener)),
    sessionId,
    send: (events, id) => stream.send(events, id),
    keepAlive: () => stream.keepAlive(),
    end: () => stream.end(),
  }
}
