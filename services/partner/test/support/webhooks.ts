import type { Id } from '@caseway/kit/caller'
import type { DirectTransport, EventTransport, Subscription, Topic } from '@caseway/kit/events'
import { type RunningGrpcServer, startGrpcServer } from '@caseway/kit/grpc'
import { recordService } from '@caseway/kit/objects'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { IssueEvent } from '@caseway/protos/cases_and_counters/v1/events'
import { issueTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, type HttpClient, randomId, type TestTenant } from '@caseway/testing'
import { publishEvents, recordsOf } from '@caseway/testing/publish'
import { type TestService, testService } from '@caseway/testing/service'
import { type Receiver, receiver } from '@caseway/testing/webhook-receiver'
import { partner } from '../../src/wiring.js'

export interface Webhooks extends TestService {
  /** The JSON of the cases that the fake of cases-and-counters returns, by id. */
  readonly cases: Map<Id, string>
  readonly receivers: readonly Receiver[]
  /** Delivers events to the service as one batch, as a transport does with events that have accumulated. */
  deliverBatch<T>(topic: Topic<T>, events: readonly [T, ...T[]]): Promise<void>
  /** Publishes that something happened to a case. */
  publishCase(
    office: TestTenant,
    issueId: Id,
    happened?: 'opened' | 'changed' | 'deleted',
    published?: { id?: string; time?: Date },
  ): Promise<void>
}

/** Starts the service with a fake of cases-and-counters, and with receivers that it may reach. */
export async function startWebhooks(receivers = 1): Promise<Webhooks> {
  const cases = new Map<Id, string>()
  const server: RunningGrpcServer = await startGrpcServer({
    ...{ host: '127.0.0.1', port: 0, security: 'plaintext', callers: [], drainMs: 100 },
    services: [
      recordService(async () => 'Europe/Warsaw', {
        name: 'Issue',
        async some(_, ids) {
          return ids.flatMap((id) => cases.get(id) ?? []).map((json) => ({ id: BigInt(JSON.parse(json).Issue.id), json }))
        },
      }),
    ],
    ...{ log: createLog({ service: 'cases', level: 'silent' }), metrics: createMetrics('cases') },
  })
  const started = await Promise.all(Array.from({ length: receivers }, receiver))
  const variables = {
    [grpcAddressVariable('cases-and-counters')]: `127.0.0.1:${server.port}`,
    OUTBOUND_PRIVATE_HOSTS: started.map(({ host }) => host).join(),
  }
  let subscription: Subscription | undefined
  const through = (transport: DirectTransport): EventTransport => ({
    ...transport,
    subscribe(subscribed) {
      if (!subscribed.broadcast) subscription = subscribed
      return transport.subscribe(subscribed)
    },
  })
  const service = await testService(partner, { variables, through })
  return {
    ...service,
    ...{ cases, receivers: started },
    deliverBatch: async (topic, events) => void (await subscription?.batches?.handle(recordsOf(topic, events))),
    publishCase: (...happened) => publishCase(service, ...happened),
    async stop() {
      for (const one of started) await one.stop()
      await service.stop()
      await server.stop()
    },
  }
}

/** Publishes that something happened to a case. */
export const publishCase = (
  { transport }: Pick<TestService, 'transport'>,
  { customerId }: TestTenant,
  issueId: Id,
  happened: 'opened' | 'changed' | 'deleted' = 'changed',
  published: { id?: string; time?: Date } = {},
): Promise<void> => {
  const event = IssueEvent.fromPartial({ issueId, customerId, change: { $case: happened, value: {} } })
  return publishEvents(transport, issueTopic, [event], published)
}

/** Adds a case to the fake of cases-and-counters, and returns its id. */
export function newCase({ cases }: Pick<Webhooks, 'cases'>, subject = 'A case'): Id {
  const id = randomId()
  cases.set(id, JSON.stringify({ Issue: { id: String(id), subject } }))
  return id
}

export interface CreatedWebhook {
  readonly id: number
  readonly secret: string
}

/** Creates a webhook. */
export async function newWebhook(http: HttpClient, fields: { url: string; events?: readonly string[] }): Promise<CreatedWebhook> {
  const { status, text, body } = await http.post<CreatedWebhook>('/webhook', { Webhook: { events: ['*'], ...fields } })
  if (status !== 201) throw new Error(text)
  return body
}

export type Delivery = Readonly<Record<string, string | null>>

/** The deliveries of an office, the oldest first. */
export const deliveriesOf = async (http: HttpClient, query = ''): Promise<Delivery[]> =>
  (await http.get<{ WebhookDelivery: Delivery }[]>(`/webhook_delivery?sort=id${query}`)).body.map(({ WebhookDelivery }) => WebhookDelivery)

/** Resolves to the requests of a receiver when it has `count` of them. */
export const untilReceived = ({ received }: Receiver, count: number, timeoutMs = 10_000) =>
  eventually(
    async () => {
      if (received.length < count) throw new Error(`${received.length} of ${count} have come.`)
      return received
    },
    { timeoutMs },
  )
