import { validate as isUuid } from 'uuid'
import type { EventRecord } from './transport.js'

/**
 * Why a record cannot come from an outbox; undefined for a valid one. An invalid record is not passed to handlers, because protobuf would decode almost any
 * bytes, even none, into a message.
 */
export function invalidReason({ id, headers, payload }: EventRecord): string | undefined {
  if (!isUuid(id) || headers.ce_id !== id) return 'The record has no header ce_id that is a UUID.'
  if (payload.length === 0) return 'The record has no content.'
  return undefined
}
