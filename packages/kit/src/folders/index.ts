import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder with its parents, like `mkdir` with `recursive`, which in Node.js 24 loops forever where a folder is refused with ENOENT although its
 * parent exists: in /proc, and below a symbolic link to nothing, such as a disk that is not mounted.
 * @param mode of each folder that is created
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  const make = () =>
    mkdir(folder, { mode }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  await make().catch(async (error) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder), mode)
    await make()
  })
}
