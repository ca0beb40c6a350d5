import { Gauge, type Metrics } from '@caseway/kit/observability'
import type { MailboxState } from './mailbox-state.repository.js'

const states = ['active', 'failing', 'auth_failed', 'config_error', 'paused'] as const
const active = ['active', 'failing'] as const

const stateOf = ({ state, isFailing }: MailboxState) => (state === 'active' && isFailing ? 'failing' : state)

const errors = ['fetch', 'store'] as const

interface Reads {
  /** The mailboxes of all offices by their states. */
  states(): Promise<readonly MailboxState[]>
  /** The numbers of messages of all offices that could not be fetched or stored. */
  failures(): Promise<readonly { error: string; count: number }[]>
}

export function mailboxMetrics({ registry }: Pick<Metrics, 'registry'>, { states: read, failures }: Reads) {
  const registers = [registry]
  // Without the database the gauges keep their last values.
  const found = () => read().catch(() => undefined)
  return {
    mailboxes: new Gauge({
      name: 'mail_mailboxes',
      help: 'Mailboxes that receive, by state: active, failing (active, and the last run failed), auth_failed, config_error, paused; the same in every process',
      ...{ labelNames: ['state'], registers },
      async collect() {
        const now = await found()
        for (const state of now ? states : []) {
          const own = now?.filter((one) => stateOf(one) === state) ?? []
          this.set(
            { state },
            own.reduce((sum, { count }) => sum + count, 0),
          )
        }
      },
    }),
    oldest: new Gauge({
      name: 'mail_oldest_sync_seconds',
      help: 'Longest time since the last complete run of a mailbox, for active and for failing mailboxes; 0 without one; the same in every process',
      ...{ labelNames: ['state'], registers },
      async collect() {
        const now = await found()
        for (const state of now ? active : []) this.set({ state }, now?.find((one) => stateOf(one) === state)?.oldestSeconds ?? 0)
      },
    }),
    failures: new Gauge({
      name: 'mail_ingest_failures',
      help: 'Messages that could not be fetched or stored, and are retried, by the failed step: fetch, store; the same in every process',
      ...{ labelNames: ['error'], registers },
      async collect() {
        const now = await failures().catch(() => undefined)
        for (const error of now ? errors : []) this.set({ error }, now?.find((one) => one.error === error)?.count ?? 0)
      },
    }),
  }
}
