import { of } from './of.mjs'

const module = 'services/polls-and-widgets/src/chat-widgets'
const widgets = 'services/polls-and-widgets/test/chat-widgets.api.test.ts'
const visited = 'services/polls-and-widgets/test/public-widgets.api.test.ts'
const spaces = 'packages/kit/test/http/public-routes.test.ts'
const doors = 'gateway/test/public-paths.test.ts'

/** A widget is its office's, and the public sees of it what its hash names. */
export default [
  ...of(`${module}/chat-widget.repository.ts`, widgets, [
    ["orderBy: { id: 'desc' }", "orderBy: { id: 'asc' }", 'answers the newest widget of the office'],
    ['const data = { externalHash: randomUUID() }', 'const data = {}', 'replace the hash by PUT /external_hash'],
  ]),
  ...of(`${module}/widget-cors.routes.ts`, visited, [
    [
      'origin !== undefined && (await widgets.hasOrigin(origin))',
      'origin !== undefined',
      'allows JSON from the origins of widgets, and from no others',
    ],
  ]),
  ...of('services/polls-and-widgets/src/chat-widgets/widget-origin.ts', visited, [
    [
      "'access-control-allow-origin': url",
      "'access-control-allow-origin': '*'",
      'allows only its own origin, independently of the request, so that caches need no variants',
    ],
  ]),
  ...of(`${module}/public-widget.service.ts`, visited, [
    ['poll && !isClosed(poll)', 'poll', 'names the poll of the widget while it is open'],
  ]),
  ...of('packages/kit/src/http/routes/route-space.ts', spaces, [
    ['route.bodyLimit ??= publicBodyLimitBytes', '', 'a body may have 64 KiB'],
    ['public: true }', 'public: false }', 'it is in the document of the client address, without a security requirement'],
  ]),
  ...of('gateway/src/forwarding/forward.ts', doors, [
    [', answerHeaders: publicAnswerHeaders,', ',', 'leaves its preflight requests to the service'],
    ['cors: false as const', 'cors: undefined', 'has no CORS headers for the origins that are configured for /rest'],
  ]),
]
