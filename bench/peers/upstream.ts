/** The upstream of both proxies: an answer of the usual size, at almost no cost. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = JSON.stringify({
  Tag: {
    ...{ id: '1', customer_id: '1', user_id: '1', name: 'Urgent', color_background: 'c62828', color_text: 'ffffff', issue: '1' },
    ...{ created: '2026-01-01 12:00:00', modified: '2026-01-01 12:00:00' },
  },
})
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }

const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
