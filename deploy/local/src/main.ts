import { runLauncher } from './launcher.js'
import { createPlatform } from './platform.js'

/** Runs the platform in this process until a signal. */
export const main = () => runLauncher(createPlatform)
