import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import { type JobHandler, type Rule, type Run, scheduledJob } from '@caseway/kit/jobs'
import type { NoteLost, Selection, StoredFile } from './lost-file.js'

/** Files that are looked for at once. */
const batch = 50

interface Check {
  readonly files: { after(id: Id, limit: number, selection: Selection): Promise<readonly StoredFile[]>; readonly note: NoteLost }
  readonly blobs: Pick<BlobStore, 'sizeOf'>
}

/**
 * Compares records with the storage, in batches: each must have as many bytes as its record says. All of them once a day; those that were lost every
 * five minutes, so that files of a restored backup are there again soon. While the storage is away nothing is lost: the check waits for it.
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
