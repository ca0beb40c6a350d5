/** Runs before all test files: fails with one sentence if there is no browser. */
import { accessSync, constants } from 'node:fs'
import { executablePath } from './support/chromium.mjs'

export default function setup() {
  try {
    accessSync(executablePath, constants.X_OK)
  } catch {
    console.error(`There is no Chromium at ${executablePath}: install it (Debian: apt-get install chromium) or name another with CHROMIUM.`)
    process.exit(1)
  }
}
