import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AppError, conflict } from '@caseway/kit/errors'
import type { Run } from '@caseway/kit/jobs'
import { describe, expect, it } from '@jest/globals'
import { clientDataChangeJob } from './client-data-change.job.js'

/** As many as a process makes at the same time. */
const runs = 32

/** The job, where another change has the address until `free` is called. */
function jobs() {
  let holder: string | undefined = 'another change'
  let end = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const accounts = {
    reserve: async () => {
      if (holder) throw conflict('ADDRESS_RESERVED', 'Another change has reserved the e-mail address.')
      return { clientId: 1n, email: 'ada@client.example', changes: {} }
    },
    apply: () => Promise.resolve([]),
    release: () => Promise.resolve(),
  }
  const nothing = () => Promise.resolve()
  const { work } = clientDataChangeJob({
    changes: { advance: nothing, end: nothing },
    accounts,
    cards: { change: () => Promise.resolve(0) },
    ended: { any: () => end.promise },
    singleSignOn: undefined,
    onEnd: () => undefined,
    log: undefined as never,
  })
  const payload = { id: 'a change', externalUserId: 'ada', applicationId: '1', changes: { email: 'eva@client.example' } }
  const tell = () => {
    end.resolve()
    end = Promise.withResolvers()
  }
  return {
    run: () => Promise.resolve(work({ payload, cursor: null, signal: stopping.signal, finish: nothing } as unknown as Run<never>)),
    tell,
    free: () => {
      holder = undefined
      tell()
    },
    stop: () => stopping.abort(),
  }
}

const unavailable = expect.objectContaining({ kind: 'unavailable' })

/** How those that have ended did. */
async function outcomesOf(all: readonly Promise<unknown>[]) {
  const outcomes: unknown[] = []
  for (const one of all)
    void one.then(
      () => outcomes.push('made'),
      (error: AppError) => outcomes.push(error),
    )
  await nextTurn()
  return outcomes
}

describe('changes that want an address which another change has', () => {
  it('wait for it, at most half of the concurrency, and the others are retried later', async () => {
    const { run, free } = jobs()
    const all = Array.from({ length: runs }, run)
    expect(await outcomesOf(all)).toEqual(Array(runs / 2).fill(unavailable))
    free()
    expect((await outcomesOf(all)).filter((outcome) => outcome === 'made')).toHaveLength(runs / 2)
  })

  it('go on waiting when another change ends, and free their slot when they have it', async () => {
    const { run, tell, free } = jobs()
    const waiting = Array.from({ length: runs / 2 }, run)
    tell()
    expect(await outcomesOf(waiting)).toEqual([])
    free()
    expect(await outcomesOf([...waiting, run()])).toEqual(Array(runs / 2 + 1).fill('made'))
  })

  it('give up when the process stops', async () => {
    const { run, tell, stop } = jobs()
    const waiting = run()
    expect(await outcomesOf([waiting])).toEqual([])
    stop()
    tell()
    expect(await outcomesOf([waiting])).toEqual([unavailable])
  })
})
