import type { Id } from '@caseway/kit/caller'
import { forbidden, notFound } from '@caseway/kit/errors'
import { type RunningGrpcServer, startGrpcServer, unary } from '@caseway/kit/grpc'
import { type LinkableObject, objectService, recordService } from '@caseway/kit/objects'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { ContactServiceService, type IsPartyRequest } from '@caseway/protos/cases_and_counters/v1/contacts'
import { ContactEvent, ContactKind } from '@caseway/protos/cases_and_counters/v1/events'
import { type GetSentSentenceRequest, SentenceServiceService, type SentSentence } from '@caseway/protos/cases_and_counters/v1/sentences'
import { SnapshotServiceService } from '@caseway/protos/cases_and_counters/v1/snapshot'
import { randomId } from './ids.js'

export interface FakeObject extends LinkableObject {
  readonly customerId: Id
  /** Whether nobody may attach files to it. */
  readonly locked: boolean
  /** Whether it is hidden from all employees. */
  readonly hidden: boolean
  /** The subject of a case. */
  readonly subject: string
}

/** A fake of the services that own objects: a real gRPC server with the objects that the test adds. */
export interface FakeObjects {
  address: string
  objects: FakeObject[]
  /** Called on each request, before it is answered. */
  onQuestion: () => Promise<void>
  /** Decides whether somebody is a party of a case; by default nobody is. */
  isParty: (question: Pick<IsPartyRequest, 'customerId' | 'issueId' | 'address' | 'clientId'>) => boolean
  /** The sentences that employees have sent to the clients of cases. */
  sentences: (SentSentence & { readonly customerId: Id })[]
  /** The persons of providers, for the snapshot. */
  contacts: ContactEvent[]
  stop(): Promise<void>
}

export const providerPerson = (fields: { customerId: Id } & Partial<ContactEvent>): ContactEvent =>
  ContactEvent.fromPartial({
    ...{ kind: ContactKind.PROVIDER_PERSON, id: randomId(), firstName: 'Ann', lastName: 'Nowak', email: 'ann@supplier.example' },
    ...{ providerId: randomId(), revision: 1n, ...fields },
  })

export const object = (fields: { customerId: Id } & Partial<FakeObject>): FakeObject => ({
  ...{ id: randomId(), userClientId: null, issueId: null, version: 1, locked: false, hidden: false, subject: 'A case' },
  ...fields,
})

/**
 * @param names the kinds of objects that it owns
 * @param objects the existing objects; several owners may share the array
 */
export async function fakeObjects(names = ['Issue', 'IssueSentence', 'Comment'], objects: FakeObject[] = []): Promise<FakeObjects> {
  const fake: Pick<FakeObjects, 'objects' | 'onQuestion' | 'isParty' | 'sentences' | 'contacts'> = {
    objects,
    onQuestion: async () => undefined,
    isParty: () => false,
    sentences: [],
    contacts: [],
  }
  const all = {
    async some(customerId: Id, ids: readonly Id[]) {
      await fake.onQuestion()
      return fake.objects.filter((object) => object.customerId === customerId && ids.includes(object.id))
    },
    async require({ role, userId }: { role: string; userId: Id }, { userClientId, locked, hidden }: FakeObject) {
      if (role === 'client' ? userClientId !== userId : hidden) throw notFound()
      if (locked) throw forbidden()
    },
  }
  const cases = {
    name: 'Issue',
    some: async (customerId: Id, ids: readonly Id[]) =>
      (await all.some(customerId, ids)).map(({ id, subject, userClientId }) => ({
        id,
        json: JSON.stringify({
          Issue: { id: String(id), number: '7', subject, deadline: null, user_client_id: userClientId && String(userClientId) },
        }),
      })),
  }
  const listProviderPersons = unary(async ({ after, limit }: { after: Id; limit: number }) => ({
    contacts: fake.contacts
      .filter(({ id }) => id > after)
      .sort((a, b) => Number(a.id - b.id))
      .slice(0, limit),
  }))
  const isParty = unary(async (question: IsPartyRequest) => {
    await fake.onQuestion()
    return { party: fake.isParty(question) }
  })
  const getSentSentence = unary(async ({ customerId, sentenceId }: GetSentSentenceRequest) => {
    await fake.onQuestion()
    return { sentence: fake.sentences.find((one) => one.customerId === customerId && one.id === sentenceId) }
  })
  const server: RunningGrpcServer = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      objectService(Object.fromEntries(names.map((name) => [name, all])) as Parameters<typeof objectService>[0]),
      recordService(async () => 'Europe/Warsaw', cases),
      [SentenceServiceService, { getSentSentence }],
      [SnapshotServiceService, { listProviderPersons }],
      [ContactServiceService, { isParty, changeClientCards: unary(() => ({ cards: 0 })) }],
    ],
    security: 'plaintext',
    callers: [],
    log: createLog({ service: 'fake-objects', level: 'silent' }),
    metrics: createMetrics('fake-objects'),
    drainMs: 100,
  })
  return Object.assign(fake, { address: `127.0.0.1:${server.port}`, stop: () => server.stop() })
}
