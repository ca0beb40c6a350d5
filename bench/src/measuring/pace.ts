import { setTimeout as pause } from 'node:timers/promises'

/** Calls `act` so many times a second, each at its time whether those before have ended or not. Resolves when all have. */
export async function pace(perSecond: number, seconds: number, act: (number: number) => Promise<void>): Promise<void> {
  const acts: Promise<void>[] = []
  const startedAt = performance.now()
  while (acts.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) / 1000) * perSecond)
    while (acts.length < due) acts.push(act(acts.length))
    await pause(2)
  }
  await Promise.all(acts)
}
