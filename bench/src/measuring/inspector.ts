import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Sends a command of the DevTools protocol: https://chromedevtools.github.io/devtools-protocol/v8 */
export type Ask = <Answer>(method: string, params?: object) => Promise<Answer>

/** The port on which every Node process listens after SIGUSR1. */
const port = 9229

/** Connects to the inspector of a Node process, which is closed again afterwards. One process at a time, because all use the same port. */
export async function inspect<T>(pid: number, work: (ask: Ask) => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await addressOf())
  await once(socket, 'open')
  const ask = asker(socket)
  try {
    const { result } = await ask<{ result: { value: number } }>('Runtime.evaluate', { expression: 'process.pid' })
    if (result.value !== pid) throw new Error(`Another process (${result.value}) is being inspected on port ${port}.`)
    return await work(ask)
  } finally {
    await ask('Runtime.evaluate', { expression: `void setTimeout(() => process.getBuiltinModule('inspector').close(), 50)` })
    socket.close()
    await pause(200)
  }
}

async function addressOf(): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    await pause(50)
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => [],
    )
    if (targets[0]) return targets[0].webSocketDebuggerUrl
  }
  throw new Error(`No inspector has opened on port ${port}.`)
}

function asker(socket: WebSocket): Ask {
  let last = 0
  const waiting = new Map<number, (answer: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  return <Answer>(method: string, params: object = {}) =>
    new Promise<Answer>((resolve) => {
      last += 1
      waiting.set(last, resolve as (answer: unknown) => void)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}
