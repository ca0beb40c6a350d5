import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The table of the variables in the built `src/config.ts` of a workspace.
 * @throws Error when the workspace is not built
 */
export async function configurationOf(folder) {
  const built = join(folder, 'dist', 'config.js')
  if (!existsSync(built)) throw new Error(`${basename(folder)} is not built: npm run build`)
  const exported = await import(pathToFileURL(built).href)
  const configs = Object.values(exported).filter((value) => typeof value?.table === 'function')
  return configs.map((config) => config.table()).join('\n\n')
}
