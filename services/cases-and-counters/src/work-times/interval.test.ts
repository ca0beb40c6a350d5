import { describe, expect, it } from '@jest/globals'
import { entered, type Interval } from './interval.js'

const now = new Date('2026-11-22T12:00:00Z')
const at = (time: string) => new Date(`2026-11-${time}:00Z`)
const interval = (started: string, ended: string | null): Interval => ({ started: at(started), ended: ended === null ? null : at(ended) })
const timer = interval('22T08:00', null)
const refused = (fields: object) => expect.objectContaining({ kind: 'invalid', fields })

describe('an interval that is entered by hand', () => {
  it.each<[string, Interval]>([
    ['ends now', interval('22T11:59', '22T12:00')],
    ['is a whole day', interval('21T12:00', '22T12:00')],
  ])('may be one that %s', (_, wanted) => {
    expect(entered(wanted, null, now)).toEqual(wanted)
  })

  it.each<[string, Interval, object]>([
    ['without an end', interval('22T08:00', null), { ended: 'is required' }],
    ['that ends when it starts', interval('22T08:00', '22T08:00'), { ended: 'must be later than started' }],
    ['that ends before it starts', interval('22T08:00', '22T07:00'), { ended: 'must be later than started' }],
    ['longer than a day', interval('21T11:59', '22T12:00'), { ended: 'must be at most 24 hours after started' }],
    ['that ends in the future', interval('22T08:00', '22T12:01'), { ended: 'must not be in the future' }],
    ['of the future', interval('22T12:01', '22T12:02'), { started: 'must not be in the future', ended: 'must not be in the future' }],
  ])('is not one %s', (_, wanted, fields) => {
    expect(() => entered(wanted, null, now)).toThrow(refused(fields))
  })
})

it('an interval has whole seconds, and may end within the current one', () => {
  const ms = (time: string, fraction: number) => new Date(at(time).getTime() + fraction)
  const [started, ended] = [ms('22T11:00', 100), ms('22T12:00', 832)]
  expect(entered({ started, ended }, null, ended)).toEqual(interval('22T11:00', '22T12:00'))
  expect(() => entered({ started, ended: ms('22T11:00', 400) }, null, now)).toThrow(refused({ ended: 'must be later than started' }))
})

it('an unchanged interval is accepted even if it ends when it starts', () => {
  const stopped = interval('22T08:00', '22T08:00')
  expect(entered(stopped, interval('22T08:00', '22T08:00'), now)).toEqual(stopped)
})

describe('a running timer', () => {
  it('keeps running while other fields change', () => {
    expect(entered(timer, timer, now)).toEqual(timer)
  })

  it('may have started earlier, but not by more than the maximum time of a timer', () => {
    expect(entered(interval('22T00:00', null), timer, now)).toEqual(interval('22T00:00', null))
    const tooEarly = interval('21T23:59', null)
    expect(() => entered(tooEarly, timer, now)).toThrow(refused({ started: 'must be at most 12 hours ago' }))
    expect(entered(tooEarly, tooEarly, now)).toEqual(tooEarly)
  })

  it('may not start later than now', () => {
    expect(() => entered(interval('22T12:01', null), timer, now)).toThrow(refused({ started: 'must not be in the future' }))
  })

  it('ends at the time that is entered', () => {
    const ended = interval('22T08:00', '22T09:00')
    expect(entered(ended, timer, now)).toEqual(ended)
  })

  it('cannot run again once it has ended', () => {
    expect(() => entered(timer, interval('22T08:00', '22T09:00'), now)).toThrow(refused({ ended: 'is required' }))
  })
})
