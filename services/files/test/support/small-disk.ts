import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small disk, whose faults the test injects. */
export interface SmallDisk {
  readonly folder: string
  /** Fills the disk except for `freeBytes`. */
  fill(freeBytes: number): Promise<void>
  free(): Promise<void>
  setReadOnly(readOnly: boolean): void
  /** Leaves the mount point as an empty folder. */
  unmount(): void
  mount(): void
  close(): Promise<void>
}

/** @throws Error where the system does not allow mounts */
export async function smallDisk(sizeBytes: number): Promise<SmallDisk> {
  const [disk, folder] = [await mkdtemp(join(tmpdir(), 'caseway-disk-')), await mkdtemp(join(tmpdir(), 'caseway-mount-'))]
  const filling = join(disk, 'filling')
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes},mode=700`, 'caseway-test', disk)
  const mount = () => run('mount', '--bind', disk, folder)
  const unmount = () => run('umount', '--lazy', folder)
  mount()
  return {
    ...{ folder, mount, unmount },
    async fill(freeBytes) {
      const file = await open(filling, 'w')
      const piece = Buffer.alloc(65_536)
      try {
        for (;;) await file.write(piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        const { size } = await file.stat()
        await file.truncate(size - freeBytes)
      } finally {
        await file.close()
      }
    },
    free: () => rm(filling),
    setReadOnly: (readOnly) => run('mount', '-o', `remount,bind,${readOnly ? 'ro' : 'rw'}`, folder),
    async close() {
      unmount()
      run('umount', '--lazy', disk)
      for (const path of [folder, disk]) await rm(path, { recursive: true })
    },
  }
}

function run(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (cause) {
    throw new Error('These tests mount a small disk: they need Linux, root, and the right to mount (CAP_SYS_ADMIN).', { cause })
  }
}
