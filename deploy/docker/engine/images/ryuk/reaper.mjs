// The protocol of Ryuk. Test processes hold a connection to port 8080 and register filters for their objects as lines such as
// "label=org.testcontainers.session-id=42"; each line is answered with ACK. When no connection has been open for RYUK_RECONNECTION_TIMEOUT, all
// objects that match are removed, and the reaper ends.
import { request } from 'node:http'
import { createServer } from 'node:net'

const { env } = process

const milliseconds = (text, fallback) => {
  const [, amount, unit] = /^(\d+)(ms|s|m)?$/.exec(text ?? '') ?? []
  return amount === undefined ? fallback : Number(amount) * { ms: 1, s: 1000, m: 60_000 }[unit ?? 's']
}
const firstConnectionMs = milliseconds(env.RYUK_CONNECTION_TIMEOUT, 60_000)
const reconnectionMs = milliseconds(env.RYUK_RECONNECTION_TIMEOUT, 10_000)
const filters = new Set()
let connections = 0

const docker = (method, path) =>
  new Promise((resolve, reject) => {
    request({ socketPath: '/var/run/docker.sock', method, path }, async (response) => {
      const body = (await response.toArray()).join('')
      if (response.statusCode < 300) resolve(body && JSON.parse(body))
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${body}`))
    })
      .on('error', reject)
      .end()
  })

const list = async (path, filter) => {
  const [key, value] = [filter.slice(0, filter.indexOf('=')), filter.slice(filter.indexOf('=') + 1)]
  return docker('GET', `${path}${path.includes('?') ? '&' : '?'}filters=${encodeURIComponent(JSON.stringify({ [key]: [value] }))}`)
}

// A single failure, such as an image that another container uses, does not prevent the other removals.
const remove = (path) =>
  docker('DELETE', path).then(
    () => console.log('removed', path),
    (error) => console.error(error.message),
  )

// Containers first, because they use the other objects.
const reap = async () => {
  for (const filter of filters) {
    const containers = await list('/containers/json?all=1', filter)
    const others = containers.filter((container) => container.Labels['org.testcontainers.ryuk'] !== 'true')
    await Promise.all(others.map(({ Id }) => remove(`/containers/${Id}?force=1&v=1`)))
    for (const { Id } of await list('/networks', filter)) await remove(`/networks/${Id}`)
    for (const { Name } of (await list('/volumes', filter)).Volumes ?? []) await remove(`/volumes/${Name}?force=1`)
    for (const { Id } of await list('/images/json', filter)) await remove(`/images/${Id}?force=1`)
  }
  process.exit()
}

let timer = setTimeout(reap, firstConnectionMs)

createServer((socket) => {
  connections++
  clearTimeout(timer)
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop()
    for (const line of lines.filter(Boolean)) {
      // The conditions of one line are joined by &; testcontainers sends one.
      for (const filter of line.split('&')) filters.add(filter)
      socket.write('ACK\n')
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (--connections === 0) timer = setTimeout(reap, reconnectionMs)
  })
}).listen(8080, () => console.log('Started'))

process.on('SIGTERM', () => process.exit())
