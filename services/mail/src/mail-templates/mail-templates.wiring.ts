import type { Db } from '../database.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { type MailHtml, sanitiserOf, templateSanitiserOf } from '../mail-html/mail-html.js'
import { mailTemplateRepository } from './mail-template.repository.js'
import { mailTemplateRoutes } from './mail-template.routes.js'
import { mailTemplateService } from './mail-template.service.js'
import { mustacheTemplates } from './mustache-templates.client.js'
import type { TemplateRecords } from './template-records.js'

interface Parts {
  readonly html: MailHtml
  readonly records: TemplateRecords
  readonly cases: Pick<LinkedCases, 'isSeen'>
}

/** The templates of an office for mail. */
export function wireMailTemplates(db: Db, { html, ...parts }: Parts) {
  const templates = mailTemplateService({
    rows: mailTemplateRepository(db),
    language: mustacheTemplates,
    ...{ sanitise: templateSanitiserOf(html), sanitiseFilled: sanitiserOf(html) },
    ...parts,
  })
  return { routes: mailTemplateRoutes(templates) }
}
