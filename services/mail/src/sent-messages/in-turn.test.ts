import { expect, it } from '@jest/globals'
import { inTurn } from './in-turn.js'

it('does what is asked for one thing one after the other, also after a failure, and for others beside it', async () => {
  const [turn, log] = [inTurn<string>(), [] as string[]]
  const first = Promise.withResolvers<void>()
  const work = (name: string, until: Promise<void>) => async () => {
    log.push(`${name} begins`)
    await until
    log.push(`${name} ends`)
    return name
  }
  const one = turn('a', work('one', first.promise))
  const two = turn('a', work('two', Promise.resolve()))
  expect(await turn('b', work('other', Promise.resolve()))).toBe('other')
  expect(log).toEqual(['one begins', 'other begins', 'other ends'])
  first.reject(new Error('It failed.'))
  await expect(one).rejects.toThrow('It failed.')
  expect(await two).toBe('two')
  expect(log.slice(3)).toEqual(['two begins', 'two ends'])
})
