import type { BlobStore } from '@caseway/kit/blobs'
import type { Routes } from '@caseway/kit/http'
import type { JobHandler } from '@caseway/kit/jobs'
import type { Db } from '../database.js'
import type { MailParser } from '../parsing/mail-parser.js'
import { attachmentRepository } from './attachment.repository.js'
import { attachmentRoutes } from './attachment.routes.js'
import { attachmentService, type SeenMessages } from './attachment.service.js'
import { attachmentScan, enqueueScan } from './attachment-scan.job.js'
import type { VirusScanner } from './virus-scanner.js'

interface Parts {
  readonly messages: SeenMessages
  readonly blobs: BlobStore
  readonly parser: MailParser
  readonly scanner: VirusScanner
}

/** The attachments of received messages. */
export function wireAttachments(db: Db, { messages, blobs, parser, scanner }: Parts) {
  const rows = attachmentRepository(db, enqueueScan)
  const routes: Routes = attachmentRoutes(attachmentService({ messages, rows, blobs }))
  const jobs: readonly JobHandler<unknown>[] = [attachmentScan({ rows, blobs, parser, scanner })]
  return { routes, jobs }
}
