import { describe, expect, it } from '@jest/globals'
import { fairQueue } from './fair-queue.client.js'

/** Work that runs until it is let go, one at a time. */
function held(options = { concurrency: 1, maxWaiting: 4 }) {
  const inTurn = fairQueue(options)
  const ran: string[] = []
  const running: (() => void)[] = []
  const ask = (of: string, signal?: AbortSignal) => {
    const name = `${of}${++asked}`
    const work = () =>
      new Promise<string>((resolve) => {
        ran.push(name)
        running.push(() => resolve(name))
      })
    return inTurn({ of, signal }, work).catch((error: { kind: string }) => error.kind)
  }
  let asked = 0
  const settle = () => new Promise((done) => setImmediate(done))
  /** Ends whatever runs, and what runs after it, until nothing is left. */
  const drain = async () => {
    await settle()
    for (let next = running.shift(); next; next = running.shift()) {
      next()
      await settle()
    }
    return ran
  }
  return { ask, ran, drain, settle }
}

describe('a queue that is full', () => {
  it('refuses one more', async () => {
    const { ask, drain } = held()
    const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'b2', 'c3', 'd4', 'e5', 'unavailable'])
  })

  it('makes room for somebody else: the last of whoever waits for most is refused', async () => {
    const { ask, drain } = held()
    const answers = [...['a', 'a', 'a', 'a', 'a'].map((of) => ask(of)), ask('b')]
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'unavailable', 'b6'])
  })

  it('refuses whoever already waits for as many as anybody', async () => {
    const { ask, drain } = held()
    const answers = ['a', 'a', 'a', 'b', 'b', 'b'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'b4', 'b5', 'unavailable'])
  })

  it('refuses whoever would wait for as many then as the one who makes room', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 5 })
    const answers = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'b5', 'b6', 'unavailable'])
  })
})

it('those that wait take turns', async () => {
  const { ask, drain } = held({ concurrency: 1, maxWaiting: 10 })
  for (const name of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void ask(name)
  expect(await drain()).toEqual(['a1', 'a2', 'b5', 'c7', 'a3', 'b6', 'a4'])
})

describe('whoever disconnects', () => {
  it('is refused at once, and what would have run does not', async () => {
    const { ask, drain, ran, settle } = held()
    const gone = new AbortController()
    const [first, second, third] = [ask('a'), ask('b', gone.signal), ask('c')]
    gone.abort()
    expect(await second).toBe('unavailable')
    await settle()
    expect(ran).toEqual(['a1'])
    await drain()
    expect([await first, await third, ran]).toEqual(['a1', 'c3', ['a1', 'c3']])
  })

  it('leaves the place to others', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 1 })
    const gone = new AbortController()
    const answers = [ask('a'), ask('b', gone.signal)]
    gone.abort()
    answers.push(ask('c'))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'unavailable', 'c3'])
  })

  it('no longer counts as somebody who waits', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 3 })
    const gone = new AbortController()
    const answers = [ask('a'), ask('b'), ask('b', gone.signal), ask('b', gone.signal)]
    gone.abort()
    answers.push(ask('c'), ask('c'), ask('d'))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'b2', 'unavailable', 'unavailable', 'c5', 'unavailable', 'd7'])
  })

  it('before asking runs nothing', async () => {
    const { ask, ran } = held()
    expect(await ask('a', AbortSignal.abort())).toBe('unavailable')
    expect(ran).toEqual([])
  })

  it('after the turn has come changes nothing', async () => {
    const { ask, drain, settle } = held()
    const gone = new AbortController()
    const answer = ask('a', gone.signal)
    await settle()
    gone.abort()
    await drain()
    expect(await answer).toBe('a1')
  })
})
