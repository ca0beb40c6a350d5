import { createHash } from 'node:crypto'
import type { Audience } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import { handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { Limit } from '@caseway/kit/limits'
import type { Counter, Logger } from '@caseway/kit/observability'
import { lifetimesMs, newSeed } from '../mailed-links/mailed-link.js'
import type { MailedLinkService } from '../mailed-links/mailed-link.service.js'
import { accountMail, type Draft, isPurpose, type MailRequest, type MailTopic, noticeMs } from './account-mail.js'
import { type AccountMailService, addressKey } from './account-mail.service.js'
import { mailOf } from './mail-layout.js'
import { MailRefused, type MailSender } from './mail-sender.js'

interface Parts {
  readonly mails: Pick<AccountMailService, 'draft'>
  readonly links: Pick<MailedLinkService, 'issue' | 'tokenFor'>
  readonly sender: MailSender
  /** Limits the mails to one address about one topic. */
  readonly limit: Limit
  /** The base URLs of the links, by audience. */
  readonly pages: Readonly<Record<Audience, string>>
  readonly sent: Counter<'topic' | 'outcome'>
  readonly log: Logger
}

/** The cursor of the job, which a repeated run continues from. */
interface Begun {
  readonly topic: MailTopic
  readonly seed: string
  /** ISO 8601; the time after which the mail is no longer sent. */
  readonly until: string
}

/** The token stands in the fragment, which browsers send to no server (RFC 3986 3.5). */
const linkTo = (page: string, topic: MailTopic, token: string) => `${page}/#/${topic}/${token}`

/** A hash, because the token of the link is derived from the seed. */
const messageIdOf = (seed: string) => createHash('sha256').update(`Message-ID ${seed}`).digest('base64url')

/**
 * Sends a mail. Its link is stored before, so that it is valid when the mail arrives. A repeated run sends the same link with the same Message-ID, or
 * nothing once the link was used or has expired.
 */
export function accountMailJob({ mails, links, sender, limit, pages, sent, log }: Parts): JobHandler<unknown> {
  const isTooMany = ({ topic, to, recipient }: Draft) =>
    limit.count([`${topic} ${addressKey(recipient.person.kind, to)}`]).then(
      () => false,
      (error) => {
        if (error instanceof AppError && error.kind === 'limit') return true
        throw error
      },
    )

  const begin = async (run: Run<MailRequest>, { topic, confirms, recipient }: Draft): Promise<Begun> => {
    const seed = newSeed()
    const { person, login, office } = recipient
    const lifeMs = isPurpose(topic) ? lifetimesMs[topic] : noticeMs
    const begun: Begun = { topic, seed, until: new Date(Date.now() + lifeMs).toISOString() }
    await run.checkpoint({ ...begun }, async () => {
      if (isPurpose(topic)) await links.issue(seed, { purpose: topic, person, login, email: confirms ?? null, officeId: office.id })
    })
    return begun
  }

  /** The URL that the mail contains; undefined when its link was used or has expired. */
  const urlOf = async ({ topic, seed }: Begun, { recipient }: Draft): Promise<string | undefined> => {
    const page = pages[recipient.person.kind === 'client' ? 'client' : 'expert']
    if (!isPurpose(topic)) return `${page}/`
    const token = await links.tokenFor(seed)
    return token && linkTo(page, topic, token)
  }

  const deliver = async (draft: Draft, url: string, { seed }: Begun) => {
    const { topic } = draft
    try {
      await sender.send({ id: messageIdOf(seed), ...mailOf(draft, url) })
      sent.inc({ topic, outcome: 'sent' })
    } catch (err) {
      if (!(err instanceof MailRefused)) throw err
      log.warn({ err, topic }, 'a mail was refused')
      sent.inc({ topic, outcome: 'refused' })
    }
  }

  return handleJob(accountMail, async (run) => {
    const draft = await mails.draft(run.payload)
    if (!draft) return
    const before = run.cursor as Begun | null
    if (!before && (await isTooMany(draft))) return log.info({ topic: draft.topic }, 'a mail was not sent: too many to one address')
    const begun = before ?? (await begin(run, draft))
    // The topic changes when the login has changed since the first run.
    if (begun.topic !== draft.topic || begun.until <= new Date().toISOString()) return
    const url = await urlOf(begun, draft)
    if (url !== undefined) await deliver(draft, url, begun)
  })
}
