import { of } from './of.mjs'

const paths = 'gateway/test/paths.test.ts'
const tokens = 'gateway/test/tokens.test.ts'
const headers = 'gateway/test/headers.test.ts'
const hopByHop = 'gateway/test/hop-by-hop.test.ts'
const limits = 'gateway/test/limits.test.ts'
const upstreams = 'gateway/test/upstreams.test.ts'
const copies = 'gateway/test/copies.test.ts'
const sessions = 'gateway/test/sessions.test.ts'
const uploads = 'gateway/test/uploads.test.ts'
const tricks = 'is the same 404, with and without a token, and reaches no service'

const givenBack = 'a large body arrives unchanged, and its memory is freed in both directions'

/** What the gateway lets through. */
export default [
  ...of('gateway/src/requests/plain-path.ts', paths, [
    ['(?!\\.{1,2}(?:[/?]|$))', '', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~%-]+', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~;-]+', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~-]*', tricks],
  ]),
  ...of('gateway/src/forwarding/lookup.ts', 'gateway/test/lookup.test.ts', [
    ['round++ % addresses.length', '0', 'rotates the order of the addresses'],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', 'gateway/test/busy-connecting.test.ts', [
    [
      ', autoSelectFamilyAttemptTimeout: addressTimeoutMs',
      '',
      'uses a copy that listens although the process was busy for half a second while it connected',
    ],
  ]),
  ...of('gateway/src/forwarding/upstream.client.ts', 'gateway/test/busy-connecting.test.ts', [
    [", 'UND_ERR_CONNECT_TIMEOUT'", '', 'connects again where no connection was established, and sends a POST once'],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', 'gateway/test/lookup.test.ts', [
    [
      'lookup: rotatingLookup(lookupAll)',
      'lookup: lookupAll as never',
      'distributes the connections of a name over its addresses, independently of lookups of other names',
    ],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', uploads, [['freeWritten(socket)', 'socket.ref()', givenBack]]),
  ...of('gateway/src/forwarding/forward.ts', uploads, [['  freeWritten(reply.raw)\n', '', givenBack]]),
  ...of('gateway/src/forwarding/upstream.client.ts', copies, [
    [
      'clientTtl: connectionMs, ',
      '',
      'that shares its address with others gets requests too, because old connections are replaced after their requests',
    ],
  ]),
  ...of('gateway/src/requests/authenticate.ts', tokens, [
    [
      'if (ended.has(caller.sessionId)) throw tokenInvalid()',
      '',
      'are 401 as soon as the event of its end has arrived, also when it is repeated',
      sessions,
    ],
    [
      'if (token === undefined) throw tokenMissing()',
      'if (token === undefined) return undefined',
      'is required: without one, 401 without an error code',
    ],
    ['isTokenRequest(request) || ', '', 'one can be requested'],
    [' || hasTicket(request)', '', 'a ticket opens a stream'],
    [
      'verifier.verify(token, audience)',
      "verifier.verify(token, 'expert')",
      'of a client is accepted only on the client address, that of a technical account only on the expert address',
    ],
  ]),
  ...of('gateway/src/requests/targets.ts', tokens, [
    [' && request.headers.authorization === undefined', '', 'a ticket opens a stream, unless it is sent with an invalid token'],
    ['isLiveStream(request) && request.headers', 'request.headers', 'is 401'],
    ["isCall(request, 'POST', tokenPath)", 'pathOf(request) === tokenPath', 'is 401'],
  ]),
  ...of('gateway/src/forwarding/headers.ts', headers, [
    [
      'x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip',
      'x-(?:customer|caseway|forwarded)(?:-.*)?|x-real-ip',
      'lose those that claim an identity',
    ],
    ['|x-real-ip|forwarded|', '|forwarded|', 'lose those that claim an identity'],
    ['|traceparent|tracestate|baggage', '', 'lose those of a trace'],
    [
      "forwarded['x-forwarded-for'] = address",
      "forwarded['x-forwarded-for'] = String(headers['x-forwarded-for'])",
      'lose those that claim an identity',
    ],
    ["forwarded['x-request-id'] = request.id", '', 'is replaced where the caller sends'],
    [' && !named.includes(name)', '', 'is passed on without hop-by-hop headers', hopByHop],
  ]),
  ...of('gateway/src/requests/limit-body.ts', limits, [
    ['> limitBytes) return done(tooLarge())', '> limitBytes + 1) return done(tooLarge())', 'one byte more is 413'],
    ['sizeBytes > limitBytes ? tooLarge() : null', 'null', 'that is larger, without a Content-Length, is 413'],
  ]),
  ...of('gateway/src/requests/sign-out.ts', sessions, [
    ['statusCode >= 200 && statusCode < 300', 'true', 'stay valid when signing out failed'],
    ['isSignOut(request) && ', 'false && ', 'are 401 at once after their owner has signed out'],
  ]),
  ...of('gateway/src/forwarding/upstream.client.ts', upstreams, [
    [
      "(lost.includes(code) && (method === 'GET' || method === 'HEAD'))",
      'lost.includes(code)',
      'gets only a request that is safe to repeat again',
    ],
    [
      'unsent.includes(code) || ',
      '',
      'that refuses the connection is replaced by another copy, even if the request is not idempotent',
      copies,
    ],
  ]),
  ...of('gateway/src/forwarding/forward.ts', upstreams, [
    ['if (cause instanceof UpstreamTooSlow) send(reply, gatewayTimeout)\n  else ', '', 'is 504 for'],
  ]),
  ...of('packages/kit/src/sessions/ended-sessions.ts', 'packages/kit/src/sessions/ended-sessions.test.ts', [
    ['Math.max(end.getTime(), endsAt.get(sessionId) ?? 0)', 'end.getTime()', 'are kept until the latest time with which they were added'],
    ['?? 0) > now()', '?? 0) >= now()', 'are kept until their last token has expired'],
  ]),
]
