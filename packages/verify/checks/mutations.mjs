import { mutations as list, staleOf } from '../../mutation/mutations.mjs'
import { root } from '../run.mjs'

/** Checks that every hand-written mutation finds its text, and its test. */
export const mutations = async (project = root, written = list) => ({ problems: staleOf(project, written) })
