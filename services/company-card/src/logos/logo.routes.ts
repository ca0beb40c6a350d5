import { experts } from '@caseway/kit/caller'
import { idText, required } from '@caseway/kit/fields'
import { action, isUnchanged, ok, publicAnswerSchemas, type Routes, wrappedBody } from '@caseway/kit/http'
import { manageRight } from '../company-cards/company-card.js'
import { hashOf, hashParameter, known, publicForAMinute } from '../published-cards/public-path.js'
import type { LogoService } from './logo.service.js'

const companyCard = { name: 'CompanyCard', path: 'company_card', audience: 'expert' } as const
const ofCard = {
  versioned: true,
  answers: { 200: ok },
  errors: [409],
  roles: experts,
  right: manageRight,
} as const

/** The routes of the logo of the office's own card. */
export const logoRoutes = (logos: LogoService): Routes => [
  action(
    companyCard,
    {
      ...{ method: 'PUT', path: ':id/logo', operationId: 'setCompanyCardLogo', ...ofCard },
      summary: 'Sets the logo to a copy of an image that has passed the virus scan: PNG, JPEG or WebP.',
      body: wrappedBody('CompanyCard', { common_file_id: required(idText) }),
    },
    ({ caller, id, body, expected }) => logos.set(caller, id, body.commonFileId, expected),
  ),
  action(companyCard, { method: 'DELETE', path: ':id/logo', operationId: 'removeCompanyCardLogo', ...ofCard }, ({ caller, id, expected }) =>
    logos.remove(caller, id, expected),
  ),
]

const schema = {
  operationId: 'getPublishedCompanyCardLogo',
  tags: ['CompanyCard'],
  params: hashParameter,
  response: publicAnswerSchemas(
    {
      200: { description: 'The logo.', content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } },
      304: known,
    },
    404,
  ),
}

/** The public route of the logo of a published card. */
export const publishedLogoRoutes =
  (logos: LogoService): Routes =>
  (app) => {
    app.get('/company_cards/:hash/logo', { schema }, async (request, reply) => {
      const { mime, etag, bytes } = await logos.published(hashOf(request))
      if (isUnchanged(request, reply, etag, publicForAMinute)) return reply.code(304).send()
      // The image is untrusted: opened as a page it must not run anything.
      return reply.header('content-security-policy', 'sandbox').type(mime).send(Buffer.from(bytes))
    })
  }
