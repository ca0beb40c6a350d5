import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import engines from '@prisma/engines'
import fetchEngine from '@prisma/fetch-engine'

const { BinaryType } = fetchEngine
const dayMs = 86_400_000

/**
 * Returns the path of the schema engine that Prisma publishes for this platform: the installed one, or else one that Prisma's own package downloads,
 * which verifies checksums and reads PRISMA_ENGINES_MIRROR and HTTPS_PROXY. A failed download is retried after a day.
 * @param folder where the engine is installed
 * @param stallMs the longest time without a received byte
 * @returns undefined when there is none for this platform, or it cannot be downloaded
 */
export async function officialEngine({ folder = engines.getEnginesPath(), stallMs = 10_000 } = {}) {
  const failure = join(folder, 'download-failed')
  if (existsSync(failure) && Date.now() - statSync(failure).mtimeMs < dayMs) return undefined
  try {
    const path = await downloaded(folder, stallMs)
    rmSync(failure, { force: true })
    return path
  } catch ({ message }) {
    const again = `The next attempt is made after a day, or when ${failure} has been deleted.`
    console.error(`Prisma's schema engine cannot be downloaded (${message}), its WebAssembly build is used. ${again}`)
    writeFileSync(failure, message)
    return undefined
  }
}

async function downloaded(folder, stallMs) {
  let timer
  const stalled = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing received for ${stallMs} ms`)), stallMs)
  })
  const binaries = { [BinaryType.SchemaEngineBinary]: folder }
  const options = { binaries, version: engines.enginesVersion, showProgress: true, progressCb: () => timer.refresh() }
  try {
    const paths = await Promise.race([fetchEngine.download(options), stalled])
    const [path] = Object.values(paths[BinaryType.SchemaEngineBinary] ?? {})
    if (!path || !existsSync(path)) throw new Error(`${folder} is not writable`)
    return path
  } finally {
    clearTimeout(timer)
  }
}
