import type { ServiceName } from '@caseway/registry'

export interface WebhookRecord {
  /** The wrapper of the record. */
  readonly resource: string
  /** The service that shows it. */
  readonly owner: ServiceName
  /** The second parts of the types of its events, with a description of each. */
  readonly events: Readonly<Record<string, string>>
}

/** The records whose events are sent, by the paths of their resources, with which the types of their events begin. */
export const webhookRecords = {
  issue: {
    resource: 'Issue',
    owner: 'cases-and-counters',
    events: { created: 'A case was opened.', updated: 'A case was changed.', deleted: 'A case was deleted.' },
  },
  issue_sentence: {
    resource: 'IssueSentence',
    owner: 'cases-and-counters',
    events: { sent: 'An employee or the client has sent a sentence in a case. Drafts and replies under review cause no event.' },
  },
  provider_person: {
    resource: 'ProviderPerson',
    owner: 'cases-and-counters',
    events: {
      created: 'A contact person of a provider was created.',
      updated: 'A contact person of a provider was changed.',
      deleted: 'A contact person of a provider was deleted.',
    },
  },
  user: {
    resource: 'User',
    owner: 'auth',
    events: { created: 'An employee joined the office.', updated: 'An employee was changed, or left the office.' },
  },
  client: {
    resource: 'Client',
    owner: 'auth',
    events: {
      created: 'The office was linked to a client, or invited one, possibly not for the first time.',
      updated: 'A client, or the link between the office and the client, was changed.',
      deleted: 'The office and a client are not linked any more.',
    },
  },
  group: {
    resource: 'Group',
    owner: 'auth',
    events: { created: 'A group was created.', updated: 'A group was renamed.', deleted: 'A group was deleted.' },
  },
  customer: { resource: 'Customer', owner: 'auth', events: { updated: 'The profile of the office was changed.' } },
  common_file: {
    resource: 'CommonFile',
    owner: 'files',
    events: {
      created: 'A file was uploaded.',
      updated: 'A file was scanned, or what it is attached to has changed.',
      deleted: 'A file was deleted.',
    },
  },
  company_card: {
    resource: 'CompanyCard',
    owner: 'company-card',
    events: { published: 'A version of the company card was published.' },
  },
  poll_answer: { resource: 'PollAnswer', owner: 'polls-and-widgets', events: { created: 'A visitor has answered.' } },
  partner_oauth2: {
    resource: 'PartnerOauth2',
    owner: 'partner',
    events: {
      created: 'The office connects with the accounting platform.',
      updated: 'The company was chosen, or the accounting platform has ended the access.',
      deleted: 'The integration was deleted.',
    },
  },
} as const satisfies Readonly<Record<string, WebhookRecord>>

export type RecordPath = keyof typeof webhookRecords
type TypeOf<Path extends RecordPath> = { [P in Path]: `${P}.${keyof (typeof webhookRecords)[P]['events'] & string}` }[Path]
export type EventType = TypeOf<RecordPath>

/** Every type of event, with its description. */
export const eventTypes = Object.entries(webhookRecords).flatMap(([path, { events }]) =>
  Object.entries(events).map(([event, summary]) => ({ type: `${path}.${event}` as EventType, summary })),
)

/** Something that happened to a record of an office. */
export interface WebhookEvent<Path extends RecordPath = RecordPath> {
  /** The same at every delivery by the platform. */
  readonly id: string
  readonly customerId: bigint
  readonly type: TypeOf<Path>
  readonly recordId: bigint
  readonly time: Date
}

/** The subject of an event, such as `issue:7`. */
export const subjectOf = ({ type, recordId }: Pick<WebhookEvent, 'type' | 'recordId'>): string => `${type.split('.')[0]}:${recordId}`

/** Parses a subject. @throws Error for one that only a newer build knows */
export function recordOf(subject: string): { readonly record: WebhookRecord; readonly id: bigint } {
  const [path = '', id = ''] = subject.split(':')
  if (!Object.hasOwn(webhookRecords, path)) throw new Error(`No webhook has events of ${path}.`)
  return { record: webhookRecords[path as RecordPath], id: BigInt(id) }
}
