import { runLauncher } from '../launcher.js'
import { createApart } from './apart.js'

/** Runs every service as a process of its own until a signal. */
export const main = () => runLauncher(({ config, home, logOf }) => createApart({ config, home, log: logOf('local') }))
