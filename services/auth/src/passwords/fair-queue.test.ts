import { describe, expect, it } from '@jest/globals'
import { fairQueue } from './fair-queue.client.js'

/** A queue whose work runs until the test ends it, one entry at a time unless `options` differ. */
function held(options = { concurrency: 1, maxWaiting: 4 }) {
  const inTurn = fairQueue(options)
  const ran: string[] = []
  const running: (() => void)[] = []
  const ask = (of: string, signal?: AbortSignal) => {
    const name = `${of}${++count}`
    const work = () =>
      new Promise<string>((resolve) => {
        ran.push(name)
        running.push(() => resolve(name))
      })
    return inTurn({ of, signal }, work).catch((error: { kind: string }) => error.kind)
  }
  let count = 0
  const settle = () => new Promise((done) => setImmediate(done))
  /** Ends the running work, and then each next one, until the queue is empty. */
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
  it('refuses a further entry', async () => {
    const { ask, drain } = held()
    const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'b2', 'c3', 'd4', 'e5', 'unavailable'])
  })

  it('refuses the last entry of the caller with the most entries in favour of another caller', async () => {
    const { ask, drain } = held()
    const answers = [...['a', 'a', 'a', 'a', 'a'].map((of) => ask(of)), ask('b')]
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'unavailable', 'b6'])
  })

  it('refuses a caller who already has as many entries as any other', async () => {
    const { ask, drain } = held()
    const answers = ['a', 'a', 'a', 'b', 'b', 'b'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'b4', 'b5', 'unavailable'])
  })

  it('refuses a caller who would then have as many entries as the one that would lose one', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 5 })
    const answers = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((of) => ask(of))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'b5', 'b6', 'unavailable'])
  })
})

it('callers take turns', async () => {
  const { ask, drain } = held({ concurrency: 1, maxWaiting: 10 })
  for (const name of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void ask(name)
  expect(await drain()).toEqual(['a1', 'a2', 'b5', 'c7', 'a3', 'b6', 'a4'])
})

describe('a caller who disconnects', () => {
  it('is refused at once, and their work does not run', async () => {
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

  it('frees the place in the queue', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 1 })
    const gone = new AbortController()
    const answers = [ask('a'), ask('b', gone.signal)]
    gone.abort()
    answers.push(ask('c'))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'unavailable', 'c3'])
  })

  it('no longer counts as waiting', async () => {
    const { ask, drain } = held({ concurrency: 1, maxWaiting: 3 })
    const gone = new AbortController()
    const answers = [ask('a'), ask('b'), ask('b', gone.signal), ask('b', gone.signal)]
    gone.abort()
    answers.push(ask('c'), ask('c'), ask('d'))
    await drain()
    expect(await Promise.all(answers)).toEqual(['a1', 'b2', 'unavailable', 'unavailable', 'c5', 'unavailable', 'd7'])
  })

  it('before the call runs nothing', async () => {
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
