import { expect, it } from '@jest/globals'
import { afterQuestion, afterReply, endedWait } from './waiting.js'

const at = (time: string) => new Date(`2026-11-22T${time}Z`)
const idle = { waitingSince: null, firstResponseAt: null }

it('a case waits since the first unanswered question', () => {
  const once = afterQuestion(idle, at('10:00:00'))
  expect(once).toEqual({ waitingSince: at('10:00:00'), firstResponseAt: null })
  expect(afterQuestion(once, at('11:00:00'))).toEqual(once)
})

it('a reply ends the wait, and the time of the first response does not change', () => {
  const first = afterReply({ ...idle, waitingSince: at('10:00:00') }, at('10:30:00'))
  expect(first).toEqual({ waitingSince: null, firstResponseAt: at('10:30:00') })
  expect(afterReply(first, at('12:00:00'))).toEqual(first)
})

it('a reply records since when the case had waited, and how long', () => {
  const waiting = { ...idle, waitingSince: at('10:00:00') }
  expect(endedWait(waiting, at('10:01:05.900'))).toEqual({ waitingSince: at('10:00:00'), waitingTime: 65 })
  expect(endedWait(waiting, at('09:59:59')).waitingTime).toBe(0)
  expect(endedWait(idle, at('10:00:00'))).toEqual({ waitingSince: null, waitingTime: null })
})
