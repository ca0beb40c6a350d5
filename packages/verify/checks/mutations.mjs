import { mutations as list, staleOf } from '../../mutation/mutations.mjs'
import { root } from '../run.mjs'

/** Every mutation that was written by hand still finds its text, and the test that has to fail. */
export const mutations = async (project = root, written = list) => ({ problems: staleOf(project, written) })
