import { buffer } from 'node:stream/consumers'
import { type BlobStore, newBlobKey } from '@caseway/kit/blobs'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { MailParser } from '../parsing/mail-parser.js'
import type { MessageOf, ScanResult } from './attachment.js'
import type { AttachmentRepository } from './attachment.repository.js'
import type { VirusScanner } from './virus-scanner.js'

interface Payload {
  readonly customerId: string
  readonly messageId: string
}

/** A download waits for the scan: while the scanner is unavailable the job is retried without end, at short intervals. */
const job = defineJob<Payload>({
  name: 'attachment-scan',
  key: ({ messageId }) => messageId,
  leaseMs: 6000,
  retry: { maxMs: 4000 },
})

export const enqueueScan = (tx: Tx, { id, customerId }: MessageOf): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), messageId: String(id) }, { dedupe: `${customerId}/${id}` })

interface Parts {
  readonly rows: Pick<AttachmentRepository, 'wanted' | 'scanned'>
  readonly blobs: Pick<BlobStore, 'get' | 'put' | 'remove'>
  readonly parser: Pick<MailParser, 'attachments'>
  readonly scanner: VirusScanner
}

/** Extracts attachments from their message and has them scanned. Clean ones are stored, so that a download need not parse the message again. */
export function attachmentScan({ rows, blobs, parser, scanner }: Parts): JobHandler<unknown> {
  const keep = async (run: Run<Payload>, place: Parameters<typeof rows.scanned>[1], bytes: Uint8Array) => {
    const result = await scanner.scan(bytes)
    const blobKey = newBlobKey()
    const blob = result.status === 'ok' ? { blobKey, size: bytes.length } : undefined
    if (blob) await blobs.put(blobKey, bytes)
    const isUsed = await run.checkpoint(null, (tx) => rows.scanned(tx as Tx, place, result, blob))
    if (blob && !isUsed) await blobs.remove(blobKey)
  }

  const scan = async (run: Run<Payload>) => {
    const [customerId, messageId] = [BigInt(run.payload.customerId), BigInt(run.payload.messageId)]
    const wanted = await rows.wanted({ id: messageId, customerId })
    const source = wanted && wanted.positions.length > 0 ? await blobs.get(wanted.blobKey) : undefined
    // Lost bytes may be restored from a backup: until then the attachments stay pending.
    if (!wanted || !source) return
    const found = await parser.attachments(await buffer(source), wanted.positions)
    for (const [at, position] of wanted.positions.entries()) {
      run.signal.throwIfAborted()
      const place = { customerId, messageId, position }
      const bytes = found?.[at]
      if (bytes) await keep(run, place, bytes)
      else await run.checkpoint(null, (tx) => rows.scanned(tx as Tx, place, unreadable))
    }
  }
  return handleJob(job, scan, { concurrency: 2 })
}

const unreadable: ScanResult = { status: 'failed', error: 'The attachment cannot be read.' }
