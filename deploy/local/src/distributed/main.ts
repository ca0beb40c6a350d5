import { runLauncher } from '../launcher.js'
import { createDistributed } from './distributed.js'

/** Runs every service as a process of its own until a signal. */
export const main = () => runLauncher(({ config, home, unlock, logOf }) => createDistributed({ config, home, unlock, log: logOf('local') }))
