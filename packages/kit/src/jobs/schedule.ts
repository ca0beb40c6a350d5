import { Cron } from 'croner'
import type { Job } from './job.js'

/** When a schedule ticks: each time `every` milliseconds have passed, or by a cron expression of five fields, read in an IANA time zone. */
export type Rule = { readonly every: number } | { readonly cron: string; readonly zone: string }

export interface Schedule {
  readonly name: string
  readonly rule: Rule
  readonly job: Job<null>
}

/**
 * Enqueues `job` once per tick over all copies of the service, on the platform. Ticks that passed while no copy ran, or while the job of the
 * tick before had not begun, are one.
 * @throws Error when the expression or the zone is not valid
 */
export function schedule(name: string, rule: Rule, job: Job<null>): Schedule {
  nextTick(rule, new Date())
  return { name, rule, job }
}

/** The first tick after `now`. In the night when clocks change, a tick that does not exist comes when they have changed. */
export function nextTick(rule: Rule, now: Date): Date {
  if ('every' in rule) return new Date(Number(now) + rule.every)
  const next = new Cron(rule.cron, { timezone: rule.zone, paused: true }).nextRun(now)
  if (!next) throw new Error(`The schedule "${rule.cron}" never comes.`)
  return next
}
