import { validate as isUuid } from 'uuid'
import type { EventRecord } from './transport.js'

/**
 * Why a record cannot be an event of an outbox, or undefined. No handler gets such a record: protobuf decodes almost anything into a message, so
 * that it could be handled for the state of something.
 */
export function invalidReason({ id, headers, payload }: EventRecord): string | undefined {
  if (!isUuid(id) || headers.ce_id !== id) return 'The record has no header ce_id that is a UUID.'
  if (payload.length === 0) return 'The record has no content.'
  return undefined
}
