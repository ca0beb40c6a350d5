import { publicAnswerSchemas, type Routes, recordEncoder, recordSchema, sendTagged, taggedJson } from '@caseway/kit/http'
import { object } from '@caseway/kit/resource'
import Negotiator from 'negotiator'
import { localBusiness } from './local-business.js'
import type { PublishedCard } from './published-card.js'
import { publishedCardResource } from './published-card.resource.js'

interface PublishedCards {
  get(hash: string): Promise<PublishedCard>
}

const json = 'application/json'
const jsonLd = 'application/ld+json'

/** For a minute everybody may show what they have, without asking again. */
const cacheControl = 'public, max-age=60'

const hashParameter = object({ hash: { type: 'string', description: 'Of the card.' } })
const content = {
  [json]: { schema: object({ CompanyCard: { $ref: `${publishedCardResource.documentedAs}#` } }) },
  [jsonLd]: { schema: { type: 'object', description: 'LocalBusiness of schema.org.' } },
}
const schema = {
  operationId: 'getPublishedCompanyCard',
  tags: [publishedCardResource.name],
  summary: 'The card of an office, once it has been approved.',
  params: hashParameter,
  response: publicAnswerSchemas(
    { 200: { description: 'The card.', content }, 304: { description: 'The card is the one that the caller has.', type: 'null' } },
    404,
  ),
}

/** What needs no token: the cards that are public. */
export const publishedCardRoutes =
  (cards: PublishedCards): Routes =>
  (app) => {
    const encode = recordEncoder(publishedCardResource)
    app.addSchema(recordSchema(publishedCardResource))
    app.get('/company_cards/:hash', { schema }, async (request, reply) => {
      const { hash } = request.params as { hash: string }
      const card = await cards.get(hash)
      const type = new Negotiator(request.raw).mediaType([json, jsonLd]) ?? json
      const answer = type === jsonLd ? localBusiness(card) : encode({ ...card, version: card.revision }, 'UTC')
      reply.header('vary', 'Accept')
      return sendTagged(request, reply, taggedJson(answer), { type: `${type}; charset=utf-8`, cacheControl })
    })
  }
