import type { Employee, Id } from '@caseway/kit/caller'
import { invalid, noSuchRecord } from '@caseway/kit/errors'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { wrongLength } from '../mail-html/mail-html.js'
import { kindsOf, missingOf, type TemplateKind, type TemplateValues, valuesOf, wrongFields } from './mail-template.js'
import type { MailTemplateRepository } from './mail-template.repository.js'
import type { MailTemplateChanges, NewMailTemplate } from './mail-template.resource.js'
import type { TemplateLanguage } from './template-language.js'
import type { TemplateRecords } from './template-records.js'

export interface MailTemplateParts {
  readonly rows: MailTemplateRepository
  readonly language: TemplateLanguage
  readonly sanitise: (html: string) => string
  /** Sanitises HTML after its fields were replaced by values, with which links may begin. */
  readonly sanitiseFilled: (html: string) => string
  readonly records: TemplateRecords
  readonly cases: Pick<LinkedCases, 'isSeen'>
}

/** The client and the case that a message is about. */
export interface RenderedFor {
  readonly clientId?: Id | null
  readonly issueId?: Id | null
}

export interface RenderedTemplate {
  readonly mailSubject: string
  readonly mailBody: string
  /** The fields of the template that have no value. */
  readonly missing: readonly string[]
}

/** The templates of an office, and their texts with the values of clients and cases. */
export const mailTemplateService = ({ rows, language, sanitise, sanitiseFilled, records, cases }: MailTemplateParts) => {
  const wrong = (text: string | undefined) => {
    const named = language.fieldsOf(text ?? '')
    return named ? wrongFields(named) : 'may have nothing but names of fields in double braces, as {{client.firstname}}'
  }

  /** Validates a template as it will be stored, after sanitising: removing tags from HTML can join braces that were apart. */
  function stored<Sent extends NewMailTemplate | MailTemplateChanges>(sent: Sent): Sent {
    const template = sent.mailBody === undefined ? sent : { ...sent, mailBody: sanitise(sent.mailBody) }
    const [ofSubject, ofBody] = [wrong(template.mailSubject), wrongLength(template.mailBody) ?? wrong(template.mailBody)]
    if (ofSubject === undefined && ofBody === undefined) return template
    throw invalid({ ...(ofSubject && { mail_subject: ofSubject }), ...(ofBody && { mail_body: ofBody }) })
  }

  /** The client and the case that a request names. @throws AppError `invalid` that names each one that does not exist for the caller */
  const namedBy = async (caller: Employee, { clientId, issueId }: RenderedFor) => {
    const { customerId } = caller
    const [client, issue] = await Promise.all([
      clientId == null ? undefined : records.find(customerId, 'client', clientId),
      issueId != null && (await cases.isSeen(caller, issueId)) ? records.find(customerId, 'issue', issueId) : undefined,
    ])
    const absent = [...(clientId != null && !client ? ['client_id'] : []), ...(issueId != null && !issue ? ['issue_id'] : [])]
    if (absent.length > 0) throw noSuchRecord(...absent)
    return { client, issue }
  }

  /** The values of the fields. The client is the one that is named, otherwise the one of the case. */
  const valuesFor = async (caller: Employee, kinds: ReadonlySet<TemplateKind>, about: RenderedFor) => {
    const { customerId, userId } = caller
    const { client: named, issue } = await namedBy(caller, about)
    const ofCase = kinds.has('client') && issue?.user_client_id ? BigInt(String(issue.user_client_id)) : undefined
    const [client, customer, user] = await Promise.all([
      named ?? (ofCase && records.find(customerId, 'client', ofCase)),
      kinds.has('customer') ? records.find(customerId, 'customer', customerId) : undefined,
      kinds.has('user') ? records.find(customerId, 'user', userId) : undefined,
    ])
    const found = Object.entries({ client, customer, user, issue }).filter(([, record]) => record !== undefined)
    return Object.fromEntries(
      found.map(([kind, record]) => [kind, valuesOf(kind as TemplateKind, record as object as Record<string, unknown>)]),
    )
  }

  return {
    ...rows,
    create: (caller: Employee, sent: NewMailTemplate) => rows.create(caller, stored(sent)),
    change: (caller: Employee, id: Id, sent: MailTemplateChanges, expected?: number) => rows.change(caller, id, stored(sent), expected),

    /**
     * The text of a template with the current values.
     * @throws AppError `invalid` for a client that the office does not have, or a case that does not exist for the caller
     */
    async render(caller: Employee, id: Id, about: RenderedFor): Promise<RenderedTemplate> {
      const { mailSubject, mailBody } = await rows.get(caller, id)
      const named = [...new Set([mailSubject, mailBody].flatMap((text) => language.fieldsOf(text) ?? []))]
      const values: TemplateValues = await valuesFor(caller, kindsOf(named), about)
      return {
        mailSubject: language.render(mailSubject, values, 'plain'),
        mailBody: sanitiseFilled(language.render(mailBody, values, 'html')),
        missing: missingOf(named, values),
      }
    },
  }
}

export type MailTemplateService = ReturnType<typeof mailTemplateService>
