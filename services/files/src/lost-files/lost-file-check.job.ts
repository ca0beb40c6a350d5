import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import { type JobHandler, type Rule, type Run, scheduledJob } from '@caseway/kit/jobs'
import type { NoteLost, Selection, StoredFile } from './lost-file.js'

/** How many files are checked concurrently. */
const batch = 50

interface Check {
  readonly files: { after(id: Id, limit: number, selection: Selection): Promise<readonly StoredFile[]>; readonly note: NoteLost }
  readonly blobs: Pick<BlobStore, 'sizeOf'>
}

/**
 * Compares the size in each record with the storage, in batches: of all files once a day, and of lost files every
 * five minutes, so that files of a restored backup are available soon. While the storage is unavailable, the check is retried, and no file counts as lost.
 */
export function lostFileChecks({ files, blobs }: Check): JobHandler<unknown>[] {
  const look = async (file: StoredFile) => {
    const isLost = (await blobs.sizeOf(file.blobKey)) !== file.size
    if (isLost !== file.fileNotExists) await files.note(file, isLost)
  }
  const check = (name: string, rule: Rule, selection: Selection) =>
    scheduledJob(name, rule, async (run: Run<null>) => {
      for (let after = BigInt((run.cursor as string | null) ?? 0); ; ) {
        const some = await files.after(after, batch, selection)
        await Promise.all(some.map(look))
        const last = some.at(-1)
        if (!last) return
        after = last.id
        await run.checkpoint(String(after))
      }
    })
  return [
    check('file-check', { every: 24 * 3_600_000 }, { lostOnly: false }),
    check('lost-file-check', { every: 5 * 60_000 }, { lostOnly: true }),
  ]
}
