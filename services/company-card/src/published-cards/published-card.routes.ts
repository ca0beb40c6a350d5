import { publicAnswerSchemas, type Routes, recordEncoder, recordSchema, sendTagged, taggedJson } from '@caseway/kit/http'
import { object } from '@caseway/kit/resource'
import Negotiator from 'negotiator'
import { localBusiness } from './local-business.js'
import { hashOf, hashParameter, known, publicForAMinute } from './public-path.js'
import type { PublishedCard } from './published-card.js'
import { publishedCardResource } from './published-card.resource.js'

interface PublishedCards {
  get(hash: string): Promise<PublishedCard>
}

const json = 'application/json'
const jsonLd = 'application/ld+json'

const content = {
  [json]: { schema: object({ CompanyCard: { $ref: `${publishedCardResource.documentedAs}#` } }) },
  [jsonLd]: { schema: { type: 'object', description: 'LocalBusiness of schema.org.' } },
}
const schema = {
  operationId: 'getPublishedCompanyCard',
  tags: [publishedCardResource.name],
  summary: 'The card of an office, once it has been approved.',
  params: hashParameter,
  response: publicAnswerSchemas({ 200: { description: 'The card.', content }, 304: known }, 404),
}

/** The public routes of published cards. */
export const publishedCardRoutes =
  (cards: PublishedCards): Routes =>
  (app) => {
    const encode = recordEncoder(publishedCardResource)
    app.addSchema(recordSchema(publishedCardResource))
    app.get('/company_cards/:hash', { schema }, async (request, reply) => {
      const card = await cards.get(hashOf(request))
      const type = new Negotiator(request.raw).mediaType([json, jsonLd]) ?? json
      const answer =
        type === jsonLd
          ? localBusiness(card, `${app.space.url}/company_cards/${card.hash}/logo`)
          : encode({ ...card, version: card.revision }, 'UTC')
      reply.header('vary', 'Accept')
      return sendTagged(request, reply, taggedJson(answer), { type: `${type}; charset=utf-8`, cacheControl: publicForAMinute })
    })
  }
