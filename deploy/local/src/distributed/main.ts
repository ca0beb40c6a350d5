import { runLauncher } from '../launcher.js'
import { createDistributed } from './distributed.js'

/** Runs every service as a process of its own until a signal. */
export const main = () => runLauncher(({ config, home, logOf }) => createDistributed({ config, home, log: logOf('local') }))
