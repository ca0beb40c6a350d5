import { of } from './of.mjs'

const module = 'services/company-card/src/company-cards'
const publicModule = 'services/company-card/src/published-cards'
const cards = 'services/company-card/test/company-cards.api.test.ts'
const reviews = 'services/company-card/test/reviews.api.test.ts'
const published = 'services/company-card/test/published-cards.api.test.ts'
const logos = 'services/company-card/test/logos.api.test.ts'

/** An office has one card, and the public sees of it what was approved, and nothing else. */
export default [
  ...of(`${module}/company-card.ts`, reviews, [
    ['[published]: waiting,', '[published]: published,', 'of a card of the status'],
    ['approve: { [waiting]: published }', 'approve: { [draft]: published, [waiting]: published }', 'of a card of the status'],
  ]),
  ...of(`${module}/opening-hours.ts`, cards, [
    ['from < to', 'from <= to', 'refuses the opening hours'],
    ['<= from', '< from', 'creates the card of the office as a draft'],
    ['(day[i - 1]?.[1] ?? 0) <= from', 'true', 'refuses the opening hours'],
  ]),
  ...of(`${module}/company-card.service.ts`, cards, [
    [
      '...(city !== undefined && { city, citySlug: slugOf(city) })',
      '...(city !== undefined && { city })',
      'changes the fields that were sent',
    ],
    ["changesRequestDetails: ''", '', 'are shown to the office until it submits the card again', reviews],
  ]),
  ...of(`${module}/company-card.repository.ts`, cards, [
    [
      "throw onViolation(error, 'company_cards_customer_id_key', companyCardExists())",
      'throw error',
      'creates one card for fifty concurrent requests, and answers the others with COMPANY_CARD_EXISTS',
    ],
    ['caller, id, expected)', 'caller, id)', 'refuses to empty a required field, and an old version'],
    [
      "if (move === 'change' && !alsoWrite && isAlready(card, changes)) return",
      '',
      'an update without a change changes neither the status nor the version of a published card',
      reviews,
    ],
    [' && !alsoWrite', '', 'does not change until another logo, or its removal, is approved', logos],
  ]),
  ...of(`${module}/review.repository.ts`, reviews, [
    [' FOR UPDATE`', '`', 'an approval of a version that was changed meanwhile is stale'],
    ['requireVersion(card, version)', '', 'is valid only for the reviewed version'],
    ['await publishAudit(', 'void (', 'publishes the card, with its event and an entry'],
  ]),
  ...of(`${publicModule}/published-card.repository.ts`, published, [
    ['isHash(hash) ? ', 'true ? ', 'is the same 404 for a draft'],
    ['await outbox(tx, cardTopic, cardEvent(version))', '', 'publishes the card, with its event and an entry', reviews],
  ]),
  ...of(`${publicModule}/published-card.routes.ts`, published, [
    ["reply.header('vary', 'Accept')", '', 'shows the public fields without a token'],
    ['cacheControl: publicForAMinute', '', 'shows the public fields without a token'],
  ]),
  ...of('services/company-card/src/offices/office.repository.ts', cards, [
    ['if (!office) throw unavailable()', "if (!office) return { name: '' }", 'is 503 until the profile of the office has arrived'],
  ]),
  ...of('services/company-card/src/logos/logo.service.ts', logos, [
    ['    mustBeLogo(file)\n', '', 'an HTML page with the media type of an image'],
    ['if (sizeBytes > maxLogoBytes)', 'if (false)', 'more than 2 MiB'],
    [
      "error.kind === 'not-found' ? noSuchRecord('common_file_id') : error",
      'false ? error : error',
      'refuses a file of another office as one',
    ],
    [
      'await cards.get(caller, id)\n    const file',
      'const file',
      'refuses another version than that in If-Match, and a card of another office',
    ],
  ]),
  ...of('services/company-card/src/logos/logo.repository.ts', logos, [
    ['    if (count === 0) throw notFound()\n', '', 'removes the logo once for concurrent requests'],
    [
      'where: { cardId, published: true } })\n    await',
      'where: { cardId, published: false } })\n    await',
      'does not change until another logo, or its removal, is approved',
    ],
  ]),
  ...of('services/files/src/downloads/content.grpc.ts', 'services/files/test/contents.test.ts', [
    ['find({ customerId }, commonFileId)', 'find({ customerId: 1n }, commonFileId)', 'are sent completely, after its name, type and size'],
  ]),
  ...of('packages/kit/src/grpc/descriptors.ts', 'packages/kit/test/grpc-standard-services.test.ts', [
    [
      '    file.dependencies.filter((imported) => !files.has(imported)).forEach(add)\n',
      '',
      'describes a service, with the files that it imports',
    ],
    [
      'for (const name of serviceNames) {',
      'for (const { typeName: name } of registry) {',
      'does not describe a service that is not served',
    ],
  ]),
  ...of('packages/kit/src/grpc/server-stream.ts', 'packages/kit/test/grpc-stream.test.ts', [
    [
      "await once(call, 'drain', { signal: cancellation.signal })",
      '',
      'advances only as fast as it is read, and ends when the reader leaves',
    ],
    ['if (cancellation.signal.aborted) break', '', 'ends with the next message where the server was busy when the reader left'],
  ]),
  ...of('packages/kit/src/fields/json-text.ts', 'packages/kit/src/fields/json-text.test.ts', [
    ['if (isDeeper(value, maxDepth)) return tooDeep(maxDepth).text', '', 'is refused above 10 levels, and overflows no stack'],
    ['if (isDeeper(wire, maxDepth)) return tooDeep(maxDepth)', '', 'as a value as well'],
    ["if (name === '__proto__') wrong ??= 'must not contain the name __proto__'", '', 'is not'],
    ['names.at(-1)?.add(name)', '', 'is not'],
  ]),
]
