import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { matches, patched, type ScimFault, type ScimRequest, type ScimUser } from './scim-protocol.js'

/** The program of `scimServer`: a small SCIM service (RFC 7644) with users in memory. */
const users = new Map<string, ScimUser>((JSON.parse(process.env.SCIM_USERS ?? '[]') as ScimUser[]).map((user) => [user.id, user]))
const requests: ScimRequest[] = []
let fault: ScimFault = 'none'
const held: (() => void)[] = []

const release = () => {
  for (const go of held.splice(0)) go()
}

const send = (response: ServerResponse, status: number, body?: unknown) => {
  response.writeHead(status, { 'content-type': 'application/scim+json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

const error = (response: ServerResponse, status: number, scimType?: string) =>
  send(response, status, { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), scimType })

/** Applies the fault. @returns whether it has answered the request */
async function failed(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const isPatch = request.method === 'PATCH'
  switch (fault) {
    case 'hold':
    case 'hold-patch':
      if (fault === 'hold' || isPatch) await new Promise<void>((resolve) => held.push(resolve))
      return false
    case 'error':
      error(response, 500)
      return true
    case 'patch-error':
      if (isPatch) error(response, 500)
      return isPatch
    case 'not-json':
      response.writeHead(200, { 'content-type': 'application/scim+json' }).end('<html>')
      return true
    case 'wrong-types':
      send(response, 200, { totalResults: '1', Resources: { id: 7 } })
      return true
    case 'someone-else':
      if (!isPatch) send(response, 200, { totalResults: 1, Resources: [{ id: 'else', userName: 'else@else.test' }] })
      return !isPatch
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/scim+json' })
      response.end(`"${'x'.repeat(10_000_000)}"`)
      return true
    case 'redirect':
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      return true
    default:
      return false
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

function change(response: ServerResponse, user: ScimUser, body: string): void {
  const after = patched(user, JSON.parse(body))
  const isTaken = [...users.values()].some(({ id, userName }) => id !== user.id && userName.toLowerCase() === after.userName.toLowerCase())
  if (isTaken || fault === 'patch-taken') error(response, 409, 'uniqueness')
  else if (fault === 'patch-refused') error(response, 400, 'invalidValue')
  else if (fault === 'addresses-refused' && after.userName !== user.userName) {
    users.set(user.id, { ...user, ...(after.name && { name: after.name }) })
    error(response, 400, 'invalidValue')
  } else {
    users.set(user.id, after)
    // The change is made, but the answer is lost.
    if (fault === 'patch-lost') response.destroy()
    else send(response, fault === 'patch-error-after' ? 500 : 200, after)
  }
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://scim')
  const body = await readBody(request)
  const filter = searchParams.get('filter')
  requests.push({ method: request.method ?? '', path: pathname, filter, authorization: request.headers.authorization, body })
  if (await failed(request, response)) return
  const id = /^\/scim\/v2\/Users\/(.+)$/.exec(pathname)?.[1]
  const user = id === undefined ? undefined : users.get(decodeURIComponent(id))
  if (user && request.method === 'GET') return send(response, 200, user)
  if (user && request.method === 'PATCH') return change(response, user, body)
  if (pathname !== '/scim/v2/Users' || filter === null) return error(response, 404)
  const matching = matches(filter)
  if (!matching) return error(response, 400, 'invalidFilter')
  const Resources = [...users.values()].filter(matching)
  send(response, 200, { totalResults: Resources.length, Resources })
})

type Message =
  | { readonly ask: 'put'; readonly user: ScimUser }
  | { readonly ask: 'remove'; readonly id: string }
  | { readonly ask: 'users' | 'requests' | 'release' }
  | { readonly ask: 'fault'; readonly fault: ScimFault }

process.on('message', (message: Message) => {
  if (message.ask === 'put') users.set(message.user.id, message.user)
  if (message.ask === 'remove') users.delete(message.id)
  if (message.ask === 'fault') fault = message.fault
  if (message.ask === 'release' || message.ask === 'fault') release()
  process.send?.({ answer: message.ask === 'users' ? [...users.values()] : message.ask === 'requests' ? requests : null })
})
process.on('disconnect', () => process.exit())
server.listen(Number(process.env.SCIM_PORT ?? 0), '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
