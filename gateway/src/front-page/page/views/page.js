import { officeView } from './office.js'
import { signInView } from './sign-in.js'

/**
 * @param {import('../main.js').State} state
 * @param {import('../main.js').Actions} actions
 */
export const page = (state, actions) => (state.name === 'office' ? officeView(state, actions) : signInView(state, actions))
