/** The properties of a service that other programs need to know. */
export interface ServiceEntry<Name extends string = string> {
  /** Also the name of its folder, database, database role, consumer group and certificate. */
  readonly name: Name
  /** The first segments of its paths below `/rest` on each public address. Any other path is not reachable from outside. */
  readonly prefixes: { readonly expert: readonly string[]; readonly client: readonly string[] }
  /** The first segments of its public paths beside `/rest` on the client address, which need no token. */
  readonly public?: readonly string[]
  /** Those of the prefixes, on both addresses, that accept a POST without a token. */
  readonly open?: readonly string[]
  /** The prefixes that accept uploads: the gateway allows larger bodies and more time there. */
  readonly uploads?: readonly string[]
  /** Whether it keeps data in a folder, which its variable `FOLDER` sets. */
  readonly keepsFolder?: boolean
  /** The path of its live stream (Server-Sent Events). */
  readonly streamPath?: string
  /** Whether it serves gRPC. */
  readonly grpc: boolean
  /** The services that it calls over gRPC. */
  readonly asks: readonly string[]
  /** The kinds of external servers to which it connects, in addition to its database and Kafka. */
  readonly reaches?: readonly Outside[]
  /** Its variables with 32 random bytes in base64, without the prefix of the service. */
  readonly secrets: readonly string[]
  /**
   * Variables that reduce the memory of its process: the maximum size of V8's semi-space, in MiB (Node, `--max-semi-space-size`), and malloc settings
   * (mallopt(3)). The values were chosen by benchmarks.
   */
  readonly memoryVariables?: Readonly<Record<string, string>>
}

/**
 * Kinds of external servers: `smtp` sends the mails about accounts, `mail-servers` are those of people's mailboxes (IMAP, POP3, SMTP), `web` is any
 * public HTTPS address that an office configures, `clamd` scans files, `object-storage` is an S3 API.
 */
export type Outside = 'smtp' | 'mail-servers' | 'web' | 'clamd' | 'object-storage'

/** All services, in the order of their start. Where two call each other, the earlier one retries until the later one answers. */
export const registry = {
  auth: {
    name: 'auth',
    prefixes: {
      expert: [
        'token',
        'password_reset',
        'invitation',
        'email_confirmation',
        'user',
        'user_role',
        'group',
        'customer',
        'client',
        'customer_user_link',
        'audit_event',
      ],
      client: ['token', 'password_reset', 'invitation', 'email_confirmation', 'client', 'customer_user_link'],
    },
    open: ['password_reset', 'invitation', 'email_confirmation'],
    grpc: true,
    asks: [],
    reaches: ['smtp'],
    secrets: ['SECRET'],
  },
  casesAndCounters: {
    name: 'cases-and-counters',
    prefixes: {
      expert: [
        'tag',
        'issue',
        'issue_sentence',
        'comment',
        'issue_subject',
        'issue_subject_label',
        'issue_initiator',
        'issue_tag',
        'provider',
        'provider_person',
        'issue_payment_offer',
        'work_time',
        'report',
        'counter',
        'notification',
        'event',
      ],
      client: ['issue', 'issue_sentence', 'issue_payment_offer', 'event'],
    },
    streamPath: '/rest/event/stream',
    grpc: true,
    asks: ['auth', 'files', 'mail'],
    secrets: [],
  },
  files: {
    name: 'files',
    prefixes: {
      expert: ['common_file', 'common_file_object'],
      client: ['common_file', 'common_file_object'],
    },
    uploads: ['common_file'],
    keepsFolder: true,
    grpc: true,
    asks: ['auth', 'cases-and-counters', 'company-card', 'mail'],
    reaches: ['clamd', 'object-storage'],
    secrets: [],
  },
  companyCard: {
    name: 'company-card',
    prefixes: {
      expert: ['company_card'],
      client: [],
    },
    public: ['company_cards'],
    grpc: true,
    asks: ['auth', 'files'],
    secrets: [],
  },
  pollsAndWidgets: {
    name: 'polls-and-widgets',
    prefixes: {
      expert: ['poll', 'poll_answer', 'chat_widget'],
      client: [],
    },
    public: ['polls', 'poll_answers', 'widgets'],
    grpc: true,
    asks: ['auth'],
    secrets: [],
    memoryVariables: { NODE_OPTIONS: '--max-semi-space-size=8' },
  },
  partner: {
    name: 'partner',
    prefixes: {
      expert: ['partner_client_data', 'partner_oauth2', 'webhook', 'webhook_delivery'],
      client: [],
    },
    grpc: false,
    asks: ['auth', 'cases-and-counters', 'files', 'company-card', 'polls-and-widgets'],
    reaches: ['web'],
    secrets: ['SECRET'],
  },
  mail: {
    name: 'mail',
    prefixes: {
      expert: [
        'mail_server',
        'mail_command',
        'mail_folder',
        'mail_folder_rule',
        'mail_folder_setting',
        'mail_received_mysql_message',
        'mail_sent_mysql_message',
        'mail_sentence',
        'mail_template',
      ],
      client: [],
    },
    keepsFolder: true,
    grpc: true,
    asks: ['auth', 'cases-and-counters', 'files'],
    reaches: ['mail-servers', 'web', 'object-storage'],
    secrets: ['SECRET'],
    memoryVariables: { NODE_OPTIONS: '--max-semi-space-size=4', MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' },
  },
} as const satisfies Readonly<Record<string, ServiceEntry>>

export type ServiceName = (typeof registry)[keyof typeof registry]['name']

export const services: readonly ServiceEntry<ServiceName>[] = Object.values(registry)

export const serviceNames: readonly ServiceName[] = services.map(({ name }) => name)

/** The result of `make` for each service, by its name. */
export const byService = <T>(make: (service: ServiceEntry<ServiceName>) => T): Record<ServiceName, T> =>
  Object.fromEntries(services.map((service) => [service.name, make(service)])) as Record<ServiceName, T>

/** The memory variables of a service; empty for other programs, such as the gateway. */
export const memoryVariablesOf = (name: string): Readonly<Record<string, string>> =>
  services.find((service) => service.name === name)?.memoryVariables ?? {}

/** The certificate names of the permitted callers of a service: the services that call it, the gateway, and the command line (`caseway`). */
export const callersOf = (name: ServiceName): string[] => [
  ...services.filter(({ asks }) => asks.includes(name)).map(({ name }) => name),
  'gateway',
  'caseway',
]
