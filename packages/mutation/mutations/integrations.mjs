import { of } from './of.mjs'

const test = (name) => `services/partner/test/${name}.test.ts`
const [api, codes, authorizations, faults, tokens, revocation] = [
  test('integrations.api'),
  test('codes.race'),
  test('authorizations.api'),
  test('platform-faults.api'),
  test('tokens'),
  test('revocation'),
]
const src = (path) => `services/partner/src/${path}`

/** A code is exchanged once, a company is chosen once, and tokens are refreshed once. */
export default [
  ...of(src('integrations/integration.ts'), api, [
    ['others.length > 0 || company.flatRate', 'others.length > 0', 'of an account with'],
    ['company.flatRate && rate === null', 'false', 'without a rate is 300, with the rates'],
    ['(choice.name ?? name) !== name', 'false', 'of a complete integration with'],
    [
      '  if (broken) throw integrationBroken()\n  return',
      '  return',
      'a broken integration that is complete refuses another rate, and accepts the stored one',
      test('imported-integrations.api'),
    ],
    ['Number(rate) === Number(sent)', 'rate === sent', 'with the rate as'],
  ]),
  ...of(src('integrations/auth-code.repository.ts'), codes, [
    ["if (found.customerId !== customerId) return 'elsewhere'", '', 'is 400 for another office, without a request to the platform'],
    ['auth_codes.outcome IS NULL AND auth_codes.claimed_until < now()', 'true', 'that 50 requests post at once is exchanged once'],
    ['auth_codes.claimed_until < now() AND', 'false AND', 'can be exchanged again when the lease of a process that died has ended'],
  ]),
  ...of(src('integrations/auth-code.service.ts'), faults, [
    ['await codes.release(claim).catch(() => undefined)', '', 'a code that did not reach the platform may be posted again'],
  ]),
  ...of(src('integrations/authorization.repository.ts'), authorizations, [
    ['AND session_id = ${caller.sessionId}', '', 'of another session'],
    ['AND (expires > now() OR', 'AND (true OR', 'that has expired'],
    ['AND outcome IS NOT NULL', '', 'that has expired before its code got an answer'],
    [
      '(expires > now() OR EXISTS',
      '(expires > now() OR false AND EXISTS',
      'gets the same answer after ten minutes, in its own session only',
    ],
    ['AND (code_hash IS NULL OR code_hash = ${codeHash})', '', 'that was used for another code'],
  ]),
  ...of(src('integrations/integration.service.ts'), authorizations, [
    ['(iss ?? state) !== undefined && !platform.isIssuer(iss)', 'false', 'an answer of another issuer is refused'],
    ['(iss ?? state) !== undefined', 'iss !== undefined', 'an answer without its issuer is refused'],
  ]),
  ...of(src('integrations/token.job.ts'), tokens, [
    ['held.revision === run.payload.revision', 'true', 'that 50 callers request at once is one request to the platform'],
    [
      'return finish(run, (tx) => tokens.planNext(tx, held))',
      'return undefined',
      'that 50 callers request at once is one request to the platform',
    ],
    ['await platform.revoke(refreshToken ?? accessToken)', '', 'has its tokens revoked at the platform, and deleted', revocation],
  ]),
  ...of(src('integrations/token.repository.ts'), tokens, [
    ['`${id} ${column}`', '`${column}`', 'cannot be decrypted in another row'],
    ['{ customerId: null, integrationId: null }', '{ integrationId: null }', 'however long that does not answer', revocation],
    ['await enqueueAll(tx, lastRevocationJob, jobs)', '', 'however long that does not answer', revocation],
  ]),
  ...of(src('integrations/integrations.wiring.ts'), revocation, [
    ['platform.revokes && ', '', 'leaves no tokens where the platform has no revocation endpoint'],
  ]),
  ...of(src('accounting-platform/companies-answer.ts'), faults, [
    [
      'if (wrong.length > 0) throw',
      'if (false) throw',
      'when the platform answers wrongly or not at all, a POST is 503 within 5 seconds, and nothing is stored',
    ],
  ]),
]
