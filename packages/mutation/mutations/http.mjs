import { of } from './of.mjs'

const http = (name) => `packages/kit/test/http/${name}.test.ts`

/** What is read from a request, and what is answered. */
export default [
  ...of('packages/kit/src/http/routes/body-writer.ts', 'packages/kit/test/http/wrapped-bodies.test.ts', [
    [
      '...(await fieldErrors?.(caller, values as Sent, id, wrong)), ',
      '',
      'are named together with those of `fieldErrors`, whose text takes precedence',
    ],
    [', ...wrong })', ' })', 'are named together with those of `fieldErrors`, whose text takes precedence'],
  ]),
  ...of('packages/kit/src/http/bodies/body.ts', http('wrapped-bodies'), [
    [
      'if (sent === null) return field.nullable ? null :',
      'if (sent == null) return field.nullable ? undefined :',
      'accepted as null where the field is nullable',
      http('wire-types'),
    ],
    ["new FieldError('must not be null')", 'null', 'is refused as null', http('wire-types')],
    [
      "sent === null || (typeof sent === 'string' && sent.trim() === '')",
      'sent === null',
      'may be a part of them in a change, but no required one may be blank',
    ],
    ['value !== null && !Array.isArray(value)', 'value !== null', 'a list in it'],
    [
      'else if (field.access.required && !partial) wrong[wire]',
      'else if (field.access.required) wrong[wire]',
      'may be a part of them in a change, but no required one may be blank',
    ],
  ]),
  ...of('packages/kit/src/http/routes/etag.ts', http('conditional'), [
    ['return Number(version ?? noVersion)', 'return version === undefined ? undefined : Number(version)', 'in If-Match'],
    ['/^"([1-9][0-9]{0,9})(?:', '/^(?:W\\/)?"([1-9][0-9]{0,9})(?:', 'in If-Match'],
    ['(?:-[\\w-]{16})?"$/', '.*"$/', 'in If-Match is 412'],
    [
      "${hash('sha256', answer, 'base64url').slice(0, digestCharacters)}",
      '0123456789abcdef',
      'shows the present name of the provider',
      'services/cases-and-counters/test/people/provider-persons.api.test.ts',
    ],
    [".replace(/^W\\//, '')", '', 'in If-None-Match is answered with 304'],
    ["tag === '*' || ", '', 'in If-None-Match is answered with 304'],
  ]),
  ...of('packages/kit/src/resource/cursor.ts', http('list-orders'), [
    ['madeIn !== order || ', '', 'of another sort order'],
    ['|| id === undefined) return malformed', ') return malformed', 'with an invalid id'],
    ['value === (value | 0) ? value', 'true ? value', 'with the value'],
    ['&& time.toISOString() === text', '', 'with the value'],
    ['/^-?[0-9]{1,18}$/', '/^-?[0-9]+$/', 'with the value'],
  ]),
  ...of('packages/kit/src/resource/list-query.ts', http('lists'), [
    ['maxLimit = 1000', 'maxLimit = 1001', 'limit=1001'],
    ['defaultLimit = 500', 'defaultLimit = 501', 'a list has 500 records'],
    ["if (typeof sent !== 'string') return", 'if (sent === undefined) return', 'limit=1&limit=1'],
    ["if (sent === '' && field.nullable) return null", "if (sent === '') return null", 'done='],
    ['Object.hasOwn(parameters, name) ? parameters[name] : undefined', 'parameters[name]', '__proto__=1'],
    [" || defaultSort.startsWith('-')", '', 'lists the newest first', 'services/mail/test/messages/received-messages.api.test.ts'],
  ]),
  ...of('packages/kit/src/http/bodies/json-body.ts', http('bodies'), [
    ['if (!isUtf8(body)) return', 'if (false) return', 'must be UTF-8'],
    ['app.removeAllContentTypeParsers()', '', 'is 415'],
    ["getDefaultJsonParser('error', 'error')", "getDefaultJsonParser('ignore', 'ignore')", 'is refused as JSON'],
  ]),
  ...of('packages/kit/src/http/bodies/content-coding.ts', http('bodies'), [
    ["reply.header('accept-encoding', 'identity')", '', 'is 415 with the one that is supported'],
    ['!hasBody || ', '', 'may have the coding identity; without a body, any coding is accepted'],
    ['?.toLowerCase()', '', 'may have the coding identity; without a body, any coding is accepted'],
  ]),
  ...of('packages/kit/src/http/routes/authenticate.ts', http('authentication'), [
    ['|| !(await hasRight(caller, right))', '', 'is checked before the id and the body of a write'],
  ]),
  ...of('packages/kit/src/http/routes/action.ts', http('actions'), [
    ['space.audience !== subject.audience', 'false', 'is not served on the other'],
    ['await space.zones(caller.customerId)', "'UTC'", 'reads times in the time zone of the office'],
    ['if (hasId) errors.push(404)', '', 'shows every answer'],
    ['if (mayHaveBody) errors.push(413, 415)', '', 'shows how an unexpected body is refused'],
    ['if (reply.sent) return reply', '', 'may send its answer itself'],
  ]),
  ...of('packages/kit/src/http/routes/idempotency.ts', http('idempotency'), [
    [
      'sealer ? { ...answer, body: sealer.seal(Buffer.from(answer.body), digest)',
      'false ? { ...answer, body: sealer.seal(Buffer.from(answer.body), digest)',
      'replays an answer with a secret, which is stored encrypted',
    ],
    [
      "storedHeaders = ['location', 'etag', 'content-type']",
      "storedHeaders = ['etag', 'content-type']",
      'replays the first answer, byte for byte, and has one effect',
    ],
    ['if (request.validationError) throw request.validationError', '', 'replays a refusal, also that of an invalid body'],
  ]),
  ...of('packages/kit/src/http/server/envelope.ts', http('errors'), [
    ['if (retryAfterSeconds !== undefined) answer', 'if (false) answer', 'in the shape of every other error'],
    ["code === 'TOKEN_MISSING' ?", 'false ?', 'is answered with a challenge without an error code', http('authentication')],
  ]),
  ...of('packages/kit/src/http/server/socket-errors.ts', http('sockets'), [
    ['if (socket._httpMessage) answer', 'if (true) answer', 'a connection that is kept alive is closed without another answer'],
    ['hostsOf(request) !== 1', 'hostsOf(request) < 1', 'is refused in the shape of every other error'],
    [' || !hostAndPort.test', ' || !/.*/.test', 'is refused in the shape of every other error'],
    [' || isCodedWrongly(request.raw)', '', 'is refused in the shape of every other error'],
    [" || httpVersion === '1.0'", '', 'is refused in the shape of every other error'],
  ]),
  ...of('packages/kit/src/http/server/failures.ts', http('errors'), [
    ['return statusCode < 500 ? unreadable : undefined', 'return unreadable', 'with a status of 5xx is logged'],
    [
      'send(reply, answer ?? fault)',
      'send(reply, answer ?? { ...fault, body: String((error as Error)?.stack) })',
      'reveals nothing, and its request id is in the log',
    ],
  ]),
  ...of('packages/kit/src/http/bodies/wire.ts', 'packages/kit/src/http/bodies/wire.test.ts', [
    [
      "typeof record.customerId === 'bigint' ? record.customerId : caller.customerId",
      'caller.customerId',
      'is in the time zone of its own office, or of the caller’s where it has none',
    ],
  ]),
  ...of('packages/kit/src/http/bodies/stored-wire.ts', http('stored-rows'), [
    [
      'membersEncoder(columns, from)',
      'membersEncoder(columns)',
      'are encoded byte for byte as their records, with embedded and nested objects',
      http('embedded-rows'),
    ],
    ["text === null ? 'null' : ", '', 'byte for byte'],
    [
      'if (itsOffice !== office) {',
      'if (office === undefined) {',
      'at the office that they name in body or query',
      'services/cases-and-counters/test/issues/client-issues.api.test.ts',
    ],
  ]),
  ...of('packages/kit/src/http/bodies/shown-times.ts', 'services/cases-and-counters/test/issues/issues.api.test.ts', [
    ['encode(time, zone) === sent[wire]', 'false', 'a case that is sent back as it was read does not change'],
    ['encode(time, zone) === sent[wire]', 'true', 'a case that is sent back as it was read does not change'],
  ]),
  ...of('packages/kit/src/http/routes/verbs.ts', 'services/cases-and-counters/test/issues/client-issues.api.test.ts', [
    [' ?? officeNamed(resource, request.query)', '', 'and uses modified_since in the time zone of the office that they name'],
  ]),
  ...of('packages/kit/src/fields/stored-time.ts', 'packages/kit/src/fields/stored-time.test.ts', [
    ['zone !== latest.zone', "latest.zone === ''", 'in one zone after the other'],
    ['=== `${local}:${minute}:00`', '!== local', 'in every zone and year'],
  ]),
  ...of('packages/kit/src/fields/ids.ts', http('stored-rows'), [['String(Number(text))', 'text', 'byte for byte']]),
  ...of('packages/kit/src/fields/text.ts', http('wire-types'), [
    ["if (!wire.isWellFormed()) return new FieldError('must be well-formed Unicode')", '', 'is refused'],
  ]),
  ...of('packages/kit/src/fields/ids.ts', http('wire-types'), [
    [
      "parseId(wire) ?? new FieldError('must be an id')",
      "parseId(String(wire)) ?? new FieldError('must be an id')",
      'is not coerced from another type',
    ],
  ]),
  ...of('packages/kit/src/fields/mail-address.ts', http('wire-types'), [
    ['value.length <= lengths.address && ', '', 'is refused'],
    ["value.lastIndexOf('@') <= lengths.localPart && ", '', 'is refused'],
    ['printable.test(value)', '/^\\P{Cc}*$/u.test(value)', 'is refused'],
    [' || endsHost.test(domain)', '', 'is refused'],
  ]),
  ...of('packages/kit/src/caller/index.ts', http('unknown'), [
    ['/^[1-9][0-9]{0,15}$/', '/^[0-9]{1,16}$/', 'by the id'],
    ['id <= Number.MAX_SAFE_INTEGER ? id : undefined', 'id', 'by the id'],
  ]),
  ...of('packages/kit/src/config/grpc-variables.ts', 'packages/kit/src/config/connections.test.ts', [
    ['!certificate.checkPrivateKey(key)', 'false', 'needs a key that belongs to the certificate'],
    ["authority ? [] : ['GRPC_CA_FILE must contain a certificate.']", '[]', 'names each file with the wrong content'],
  ]),
  ...of('packages/kit/src/config/lists.ts', 'packages/kit/src/config/lists.test.ts', [
    ['new Resolver().setServers([item])', 'new Resolver()', 'of DNS servers takes'],
  ]),
  ...of('packages/kit/src/http/server/server.ts', http('plain-routes'), [
    ['buildValidator: (() => compilePlainSchema) as never, ', '', 'coerces nothing'],
  ]),
  ...of('packages/kit/src/http/server/shared-serializers.ts', 'packages/kit/src/http/server/shared-serializers.test.ts', [
    ['known.get(schema) ?? compile(route)', 'compile(route)', 'are shared by all routes with the same schema object'],
    ['const schema = route.schema as object', 'const schema = known', 'are different for different schemas'],
  ]),
  ...of('packages/kit/src/http/bodies/plain-validation.ts', http('plain-routes'), [
    ["[[name, 'must be given once']]", '[]', 'names missing and invalid properties by their paths'],
    ["httpPart === 'params' ? notFound() : invalid(wrong)", 'invalid(wrong)', 'in the path'],
  ]),
  ...of('packages/kit/src/http/routes/csv.ts', 'packages/kit/test/http/csv.test.ts', [
    ['escapeFormulae: formula', 'escapeFormulae: true', 'quotes text, so that it begins neither a row nor a formula'],
    ['escapeFormulae: formula, ', '', 'as text to a spreadsheet'],
    ["rows.length === 0 ? '' :", '', 'respects filters and order, and refuses invalid ones'],
    ["reply.request.method !== 'HEAD'", 'true', 'is not read for HEAD'],
    ['isRead || query.count ?', 'isRead ?', 'has the total with count=1, also for HEAD'],
  ]),
]
