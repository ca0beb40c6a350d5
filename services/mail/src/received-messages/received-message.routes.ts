import { idSchema, jsonValue, required, timestamp } from '@caseway/kit/fields'
import { action, ok, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { listedMessageResource, receivedMessageResource } from './received-message.resource.js'
import type { ReceivedMessageService } from './received-message.service.js'

const { is_read, folder_name, mail_folder_id, tags, issue_id } = receivedMessageResource.fields
const ids = required(jsonValue(Type.Array(idSchema, { minItems: 1, maxItems: 500 })))
const changes = { is_read, folder_name, mail_folder_id, tags, issue_id }

const trace = Type.Object({
  kind: Type.String({ description: 'arrived, backfilled, moved, linked (to a case) or reported (on a sent message).' }),
  reason: Type.Object({}, { additionalProperties: true, description: 'The reason and the folder.' }),
  created: Type.String(),
})
const traces = Type.Object({ MailTrace: Type.Array(trace) }, { description: 'Why the message is in its folder, the oldest entry first.' })

export const receivedMessageRoutes = ({ list, get, change, remove, ...messages }: ReceivedMessageService): Routes => [
  resourceRoutes(listedMessageResource, { list }),
  resourceRoutes(receivedMessageResource, { get, change, remove }),
  action(
    receivedMessageResource,
    {
      ...{ method: 'PUT', path: '', operationId: 'changeMailReceivedMysqlMessages', answers: { 200: ok } },
      summary: 'Applies the same changes to many messages: all of them, or none where the caller does not see one.',
      body: wrappedBody(receivedMessageResource.name, { ids, ...changes }),
    },
    async ({ caller, body: { ids, ...changes } }) => messages.changeSome(caller, idsOf(ids), changes),
  ),
  action(
    receivedMessageResource,
    {
      ...{ method: 'POST', path: ':id/restore', operationId: 'restoreMailReceivedMysqlMessage', answers: { 200: ok } },
      summary: 'Moves a message from TRASH to its previous folder.',
    },
    ({ caller, id }) => messages.restore(caller, id),
  ),
  action(
    receivedMessageResource,
    {
      ...{ method: 'GET', path: ':id/trace', operationId: 'getMailReceivedMysqlMessageTrace', answers: { 200: traces } },
      summary: 'Why a message is in its folder.',
    },
    async ({ caller, id, space }) => {
      const zone = await space.zones(caller.customerId)
      const found = await messages.traces(caller, id)
      return { MailTrace: found.map(({ kind, reason, created }) => ({ kind, reason, created: timestamp.encode(created, zone) })) }
    },
  ),
]

const idsOf = (ids: string): bigint[] => (JSON.parse(ids) as (number | string)[]).map(BigInt)
