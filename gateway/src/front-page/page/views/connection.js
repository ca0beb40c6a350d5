import { html } from '../modules/lit-html/lit-html.js'

/** @type {Record<import('../live-stream.js').Connection, string>} */
const words = { connecting: 'Connecting …', live: 'Live', reconnecting: 'Reconnecting …' }

/** @param {import('../live-stream.js').Connection} connection */
export const connectionView = (connection) =>
  html`<p class="connection" role="status" data-connection=${connection}>${words[connection]}</p>`
