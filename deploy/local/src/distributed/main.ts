import { runLauncher } from '../launcher.js'
import { createDistributed } from './distributed.js'

/** Runs the distributed platform until a signal. */
export const main = () => runLauncher(({ config, home, unlock, logOf }) => createDistributed({ config, home, unlock, log: logOf('local') }))
