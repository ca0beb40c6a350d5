import { mailedLinkView } from './mailed-link.js'
import { officeView } from './office.js'
import { signInView } from './sign-in.js'

/**
 * @param {import('../main.js').State} state
 * @param {import('../main.js').Actions} actions
 */
export function page(state, actions) {
  if (state.name === 'office') return officeView(state, actions)
  return state.name === 'mailed-link' ? mailedLinkView(state, actions.redeem(state.link)) : signInView(state, actions)
}
