import { Cron } from 'croner'
import type { Job } from './job.js'

/** When a schedule ticks: every `every` milliseconds, or by a cron expression of five fields in an IANA time zone (croner). */
export type Rule = { readonly every: number } | { readonly cron: string; readonly zone: string }

export interface Schedule {
  readonly name: string
  readonly rule: Rule
  readonly job: Job<null>
}

/**
 * Declares that `job` is enqueued in the scope of the platform, once per tick over all copies of the service. Ticks that were missed because no copy ran, or
 * that come before the job of the previous tick has begun, result in one job.
 * @param name the key of the schedule in the database
 * @throws Error when the expression or the zone is not valid
 */
export function schedule(name: string, rule: Rule, job: Job<null>): Schedule {
  nextTick(rule, new Date())
  return { name, rule, job }
}

/**
 * The first tick after `now`. A tick at a local time that the change to daylight saving time skips comes after the change.
 * @throws Error when there is none, or the expression or the zone is not valid
 */
export function nextTick(rule: Rule, now: Date): Date {
  if ('every' in rule) return new Date(Number(now) + rule.every)
  const next = new Cron(rule.cron, { timezone: rule.zone, paused: true }).nextRun(now)
  if (!next) throw new Error(`The schedule "${rule.cron}" has no next time.`)
  return next
}
