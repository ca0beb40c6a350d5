import { join } from 'node:path'
import type { Limit } from '@caseway/kit/limits'
import { Counter, type Logger, type Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import type { MailedLinkService } from '../mailed-links/mailed-link.service.js'
import { accountMailJob } from './account-mail.job.js'
import { accountMailService } from './account-mail.service.js'
import { accountMailQueue } from './account-mail-queue.repository.js'
import { folderMailSender } from './folder-mail-sender.client.js'
import type { MailSender } from './mail-sender.js'
import { recipientRepository } from './recipient.repository.js'
import { smtpMailSender } from './smtp-mail-sender.client.js'

interface MailConfig {
  readonly smtpUrl: string | undefined
  readonly smtpInsecure: boolean
  readonly smtpTimeoutMs: number
  readonly mailFrom: string | undefined
  readonly casewayHome: string
  readonly expertPagesUrl: string | undefined
  readonly clientPagesUrl: string | undefined
  readonly expertUrl?: string | undefined
  readonly clientUrl?: string | undefined
}

interface Dependencies {
  readonly links: MailedLinkService
  readonly limit: Limit
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'registry'>
}

function senderOf(config: MailConfig): MailSender {
  const { smtpUrl: url, smtpInsecure: insecure, smtpTimeoutMs: timeoutMs, casewayHome } = config
  const from = config.mailFrom ?? 'Caseway <caseway@localhost>'
  if (url === undefined) return folderMailSender({ folder: join(casewayHome, 'mails'), from })
  return smtpMailSender({ url, from, insecure, timeoutMs })
}

/** The mails about accounts, and the job that sends them. */
export function wireAccountMails(db: Db, config: MailConfig, { links, limit, log, metrics }: Dependencies) {
  const mails = accountMailService(accountMailQueue(db), recipientRepository(db))
  const sent = new Counter({
    name: 'account_mails_total',
    help: 'Mails about accounts, by topic and by whether the mail server accepted them',
    labelNames: ['topic', 'outcome'] as const,
    registers: [metrics.registry],
  })
  const pages = {
    expert: config.expertPagesUrl ?? config.expertUrl ?? '',
    client: config.clientPagesUrl ?? config.clientUrl ?? '',
  }
  return { mails, job: accountMailJob({ mails, links, sender: senderOf(config), limit, pages, sent, log }) }
}
