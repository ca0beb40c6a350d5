import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Resource } from '@caseway/kit/resource'

const isResource = (value: unknown): value is Resource => typeof value === 'object' && value !== null && 'idColumn' in value

/** All resources that the files below a folder declare, so that tests cover new ones as well. */
export async function declaredResources(folder: URL): Promise<Resource[]> {
  const files = globSync('**/*.resource.ts', { cwd: fileURLToPath(folder) }).sort()
  const modules = await Promise.all(files.map((file) => import(join(fileURLToPath(folder), file))))
  return modules.flatMap((module) => Object.values(module).filter(isResource))
}
