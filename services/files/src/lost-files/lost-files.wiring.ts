import type { BlobStore } from '@caseway/kit/blobs'
import type { JobHandler } from '@caseway/kit/jobs'
import type { Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import { enqueueScan } from '../scans/scan.job.js'
import type { LostFile, NoteLost } from './lost-file.js'
import { type Followers, lostFileRepository } from './lost-file.repository.js'
import { lostFileChecks } from './lost-file-check.job.js'
import { lostFileMetrics } from './lost-file-metrics.js'

interface Context {
  readonly files: Pick<Followers, 'publish'>
  readonly blobs: BlobStore
  readonly metrics: Metrics
}

interface LostFiles {
  readonly jobs: JobHandler<unknown>[]
  readonly note: NoteLost
  /** Lost files, at most `limit`. */
  readonly lost: (limit: number) => Promise<LostFile[]>
}

/** Detects files whose bytes are lost, and those whose bytes are back. */
export function wireLostFiles(db: Db, { files, blobs, metrics }: Context): LostFiles {
  const lost = lostFileRepository(db, { publish: files.publish, scan: enqueueScan })
  lostFileMetrics(metrics, lost.count)
  return { jobs: lostFileChecks({ files: lost, blobs }), note: lost.note, lost: lost.lost }
}
