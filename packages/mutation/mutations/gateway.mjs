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
const tricks = 'is the same 404, with and without a token, and reaches nobody'

const givenBack = 'its memory is given back on its way up and down'

/** What the gateway lets through. */
export default [
  ...of('gateway/src/requests/plain-path.ts', paths, [
    ['(?!\\.{1,2}(?:[/?]|$))', '', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~%-]+', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~;-]+', tricks],
    ['[A-Za-z0-9._~-]+', '[A-Za-z0-9._~-]*', tricks],
  ]),
  ...of('gateway/src/forwarding/lookup.ts', 'gateway/test/lookup.test.ts', [
    ['round++ % addresses.length', '0', 'begins with each address in its turn'],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', 'gateway/test/busy-connecting.test.ts', [
    [', autoSelectFamilyAttemptTimeout: addressMs', '', 'does not pass over a copy that listens'],
  ]),
  ...of('gateway/src/forwarding/upstream.client.ts', 'gateway/test/busy-connecting.test.ts', [
    [", 'UND_ERR_CONNECT_TIMEOUT'", '', 'connects again where no connection was made'],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', 'gateway/test/lookup.test.ts', [
    ['lookup: rotatingLookup(lookupAll)', 'lookup: lookupAll as never', 'spreads the connections of a name over its addresses'],
  ]),
  ...of('gateway/src/forwarding/copies.client.ts', uploads, [['freeWritten(socket)', 'socket.ref()', givenBack]]),
  ...of('gateway/src/forwarding/forward.ts', uploads, [['  freeWritten(reply.raw)\n', '', givenBack]]),
  ...of('gateway/src/forwarding/upstream.client.ts', copies, [
    ['clientTtl: connectionMs, ', '', 'an old connection finishes its requests and is replaced'],
  ]),
  ...of('gateway/src/requests/authenticate.ts', tokens, [
    ['if (ended.has(caller.sessionId)) throw tokenInvalid()', '', 'are 401 as soon as auth tells that it has ended', sessions],
    ['if (token === undefined) throw tokenMissing()', 'if (token === undefined) return undefined', 'is needed: 401 without an error code'],
    ['asksForToken(request) || ', '', 'one can be requested'],
    [' || bringsTicket(request)', '', 'a ticket opens a stream'],
    ['verifier.verify(token, audience)', "verifier.verify(token, 'expert')", 'is accepted only on the address for clients'],
  ]),
  ...of('gateway/src/requests/targets.ts', tokens, [
    [' && request.headers.authorization === undefined', '', 'but not for somebody whose token is bad'],
    ['isLiveStream(request) && request.headers', 'request.headers', 'is 401'],
    ["isCall(request, 'POST', tokenPath)", 'pathOf(request) === tokenPath', 'is 401'],
  ]),
  ...of('gateway/src/forwarding/headers.ts', headers, [
    [
      'x-(?:user|customer|caseway|forwarded)(?:-.*)?|x-real-ip',
      'x-(?:customer|caseway|forwarded)(?:-.*)?|x-real-ip',
      'lose whatever claims an identity',
    ],
    ['|x-real-ip|forwarded|', '|forwarded|', 'lose whatever claims an identity'],
    ['|traceparent|tracestate|baggage', '', 'lose whatever belongs to a trace'],
    [
      "kept['x-forwarded-for'] = address",
      "kept['x-forwarded-for'] = String(headers['x-forwarded-for'])",
      'lose whatever claims an identity',
    ],
    ["kept['x-request-id'] = request.id", '', 'is another than'],
    [' && !named.includes(name)', '', 'leaves what is meant for the gateway there', hopByHop],
  ]),
  ...of('gateway/src/requests/limit-body.ts', limits, [
    ['> limitBytes) return done(tooLarge())', '> limitBytes + 1) return done(tooLarge())', 'one byte more is 413'],
    ['sizeBytes > limitBytes ? tooLarge() : null', 'null', 'that turns out to have more is 413'],
  ]),
  ...of('gateway/src/requests/sign-out.ts', sessions, [
    ['statusCode >= 200 && statusCode < 300', 'true', 'stay good when signing out failed'],
    ['signsOut(request) && ', 'false && ', 'are 401 at once after their owner has signed out'],
  ]),
  ...of('gateway/src/forwarding/upstream.client.ts', upstreams, [
    [
      "(lost.includes(code) && (method === 'GET' || method === 'HEAD'))",
      'lost.includes(code)',
      'gets a request again only if it cannot have had an effect',
    ],
    ['unsent.includes(code) || ', '', 'that refuses the connection leaves the request to another copy', copies],
  ]),
  ...of('gateway/src/forwarding/forward.ts', upstreams, [
    ['if (cause instanceof UpstreamTooSlow) send(reply, gatewayTimeout)\n  else ', '', 'is 504 for'],
  ]),
  ...of('packages/kit/src/sessions/ended-sessions.ts', 'packages/kit/src/sessions/ended-sessions.test.ts', [
    ['Math.max(end.getTime(), endsAt.get(sessionId) ?? 0)', 'end.getTime()', 'are kept until the latest time with which they were added'],
    ['?? 0) > now()', '?? 0) >= now()', 'are kept until their last token has expired'],
  ]),
]
