import { hosts } from '../config/index.js'

/** The variable of every service that calls hosts which people have named. */
export const outboundVariables = {
  OUTBOUND_PRIVATE_HOSTS: hosts({
    shared: true,
    default: [],
    help: 'Hosts that may be called although their addresses are private, also in plain text',
  }),
}
