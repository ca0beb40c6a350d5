import { randomUUID } from 'node:crypto'
import { keepNewest } from '@caseway/kit/database'
import { defineTopic, type EventRecord } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'

export const userTopic = defineTopic<UserEvent>({
  name: 'auth.user.v1',
  message: UserEvent,
  key: ({ customerId }) => String(customerId),
})

export const userEvent = (id: bigint, changes: Partial<UserEvent> = {}): UserEvent => ({
  id,
  customerId: 7n,
  email: `${id}@office.example`,
  firstname: 'Anna',
  lastname: 'Nowak',
  active: true,
  revision: 1n,
  ...changes,
})

/** An event as a relay publishes it. */
export const recordOf = (event: UserEvent, topic = userTopic.name, id = randomUUID()): EventRecord => ({
  topic,
  key: userTopic.key(event),
  id,
  payload: UserEvent.encode(event).finish(),
  headers: { ce_id: id, ce_type: topic },
  time: new Date(),
})

type RawClient = Parameters<typeof keepNewest>[0]

/** Writes the copy of a person, as a consumer of `userTopic` does. */
export const keepPerson = (tx: RawClient, { id, customerId, lastname, revision }: UserEvent) =>
  keepNewest(tx, 'person_copies', [{ id, customer_id: customerId, name: lastname, revision }])
