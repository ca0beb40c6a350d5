import type { Limits } from '@caseway/kit/limits'

/** The limits of answers per minute: from one address, and for one widget. */
export const answerLimits = (limit: Limits['limit']) => ({
  ofAddress: limit({ name: 'poll-answer-address', points: 30, seconds: 60, refusedFromMemory: true }),
  ofWidget: limit({ name: 'poll-answer-widget', points: 300, seconds: 60, refusedFromMemory: true }),
})

export type AnswerLimits = ReturnType<typeof answerLimits>
