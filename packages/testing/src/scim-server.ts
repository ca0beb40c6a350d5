import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ScimFault, ScimRequest, ScimUser } from './scim-protocol.js'

export type { ScimFault, ScimRequest, ScimUser } from './scim-protocol.js'

/** A SCIM 2.0 service in a process of its own, with faults that the test controls. */
export interface ScimServer {
  /** The value of `SSO_URL`. */
  readonly url: string
  put(user: ScimUser): Promise<void>
  remove(id: string): Promise<void>
  user(id: string): Promise<ScimUser | undefined>
  /** The received requests, in order. */
  requests(): Promise<ScimRequest[]>
  /** Sets the fault for later requests, and releases held ones. */
  fault(fault: ScimFault): Promise<void>
  /** Releases held requests; later ones are held again. */
  release(): Promise<void>
  /** Kills it. `start` starts it again with the same URL, and these users. */
  kill(): Promise<void>
  start(...users: ScimUser[]): Promise<void>
  stop(): Promise<void>
}

const program = new URL('../dist/scim-process.js', import.meta.url)

export async function scimServer(): Promise<ScimServer> {
  let child: ChildProcess
  let port = 0
  const start = async (...users: ScimUser[]) => {
    const env = { ...process.env, SCIM_PORT: String(port), SCIM_USERS: JSON.stringify(users), NODE_OPTIONS: '' }
    child = fork(program, { env, execArgv: [] })
    const [message] = (await once(child, 'message')) as [{ port: number }]
    port = message.port
  }
  await start()
  let last: Promise<unknown> = Promise.resolve()
  /** Sequential, because an answer belongs to the last question. */
  const ask = <T>(message: object): Promise<T> => {
    const answer = last.then(async () => {
      const reply = once(child, 'message')
      child.send(message)
      return ((await reply) as [{ answer: T }])[0].answer
    })
    // A failed question does not affect the next one: the server may have been restarted.
    last = answer.catch(() => undefined)
    return answer
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    url: `http://127.0.0.1:${port}/scim/v2`,
    put: (user) => ask({ ask: 'put', user }),
    remove: (id) => ask({ ask: 'remove', id }),
    user: async (id) => (await ask<ScimUser[]>({ ask: 'users' })).find((user) => user.id === id),
    requests: () => ask({ ask: 'requests' }),
    fault: (fault) => ask({ ask: 'fault', fault }),
    release: () => ask({ ask: 'release' }),
    ...{ kill, start, stop: kill },
  }
}
