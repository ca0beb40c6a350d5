import { setTimeout as pause } from 'node:timers/promises'

/**
 * Calls `act` at a constant rate, whether earlier calls have ended or not. Resolves when all have ended.
 * @throws the first error of `act`
 */
export async function pace(perSecond: number, seconds: number, act: (number: number) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const acts: Promise<void>[] = []
  const startedAt = performance.now()
  while (acts.length < perSecond * seconds && failures.length === 0) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) / 1000) * perSecond)
    while (acts.length < due) acts.push(act(acts.length).catch((error) => void failures.push(error)))
    await pause(2)
  }
  await Promise.all(acts)
  if (failures.length > 0) throw failures[0]
}
