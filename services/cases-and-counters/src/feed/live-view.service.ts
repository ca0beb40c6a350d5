import type { Client, Employee, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { Space } from '@caseway/kit/http'
import { select } from '../counters/counter.js'
import type { CounterService } from '../counters/counter.service.js'
import type { ClientIssueService } from '../issues/client-issue.service.js'
import type { IssueService } from '../issues/issue.service.js'
import type { NotificationService } from '../notifications/notification.service.js'
import type { ChangedMail } from './changed-mail.js'
import type { MailDirectory } from './mail-directory.js'
import type { LiveEvent, LiveView } from './reader.js'

type Encode<Row> = (row: Row, zone: string) => object
type ZoneOf = Space['zones']
type RowOf<Service extends { some(...args: never): Promise<readonly unknown[]> }> = Awaited<ReturnType<Service['some']>>[number]

export interface LiveSources {
  readonly issues: IssueService
  readonly clientIssues: ClientIssueService
  readonly counters: CounterService
  readonly notifications: NotificationService
  readonly mail: MailDirectory
  readonly encodeIssue: Encode<RowOf<IssueService>>
  readonly encodeClientIssue: Encode<RowOf<ClientIssueService>>
  readonly encodeNotification: Encode<RowOf<NotificationService>>
}

/** The records of live streams, which are the same as those of the reads over REST. */
export const liveViews = ({ issues, clientIssues, counters, notifications, mail, ...encoders }: LiveSources) => ({
  employee: (caller: Employee, zoneOf: ZoneOf): LiveView => ({
    issues: async (ids) => issueEvents(ids, await issues.some(caller, ids), encoders.encodeIssue, zoneOf),
    counters: async (userIds) => counterEvents(await counters.readFor(caller, userIds)),
    notifications: async (ids) => {
      const [own, zone] = await Promise.all([notifications.some(caller, ids), zoneOf(caller.customerId)])
      return own.sort(byId).map((row) => eventOf('notification', encoders.encodeNotification(row, zone)))
    },
    mail: (changed) => mailEvents(mail, caller, changed),
  }),

  /** Clients have no counters, notifications or mail. */
  client: (caller: Client, zoneOf: ZoneOf): LiveView => ({
    issues: async (ids) => issueEvents(ids, await clientIssues.some(caller, ids), encoders.encodeClientIssue, zoneOf),
    counters: async () => new Map(),
    notifications: async () => [],
    mail: async () => [],
  }),
})

export type LiveViews = ReturnType<typeof liveViews>

const eventOf = (event: LiveEvent['event'], data: object): LiveEvent => ({ event, data: JSON.stringify(data) })

/** Undefined if mail does not answer, so that the other events are sent all the same. */
async function mailEvents(mail: MailDirectory, caller: Employee, changed: ChangedMail): Promise<LiveEvent[] | undefined> {
  try {
    const records = await mail.records(caller, changed)
    return records.map((data) => ({ event: 'mail', data }))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const byId = (one: { id: Id }, other: { id: Id }) => Number(one.id - other.id)

/** A deleted case, or one that the reader no longer sees: its id only. */
const removalOf = (id: Id) => eventOf('issue', { Issue: { id: String(id) } })

async function issueEvents<Row extends { id: Id; customerId: Id }>(
  ids: readonly Id[],
  rows: readonly Row[],
  encode: Encode<Row>,
  zoneOf: ZoneOf,
): Promise<Map<Id, LiveEvent>> {
  const events = new Map(ids.map((id) => [id, removalOf(id)]))
  for (const row of rows) events.set(row.id, eventOf('issue', encode(row, await zoneOf(row.customerId))))
  return events
}

const counterEvents = (counters: Awaited<ReturnType<CounterService['readFor']>>) =>
  new Map([...counters].map(([userId, all]) => [userId, eventOf('counter', { Counter: select(all) })]))
