import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the bytes of messages. */
export async function mailFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-mail-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
