import { runLauncher } from './launcher.js'
import { createPlatform } from './platform.js'

/** Runs everything in this process until a signal. */
export const main = () => runLauncher(createPlatform)
