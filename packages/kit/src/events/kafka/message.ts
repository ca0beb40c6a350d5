import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import { v5 as derivedUuid, validate as isUuid } from 'uuid'
import type { EventRecord } from '../transport.js'

/** CloudEvents 1.0, Kafka protocol binding, binary content mode: the attributes are headers, the value is the payload. */
export const messageOf = ({ key, id, payload, headers, time }: EventRecord): Message => ({
  key,
  value: Buffer.from(payload),
  headers: { ...headers, ce_id: id },
  timestamp: String(time.getTime()),
})

/** The namespace (RFC 9562, 6.6) of the ids of records without a `ce_id`. */
const namespace = '3f0d2a6c-5f0e-4c52-9d0b-7d5b8e2f6a41'

/**
 * The record of a Kafka message. A message without a UUID in `ce_id` gets an id derived from its topic, partition and offset, the same at every delivery; as
 * its headers lack that id, `invalidReason` rejects it.
 */
export function recordOf(topic: string, partition: number, { key, value, headers = {}, offset, timestamp }: KafkaMessage): EventRecord {
  const texts = textsOf(headers)
  const { ce_id: id = '' } = texts
  return {
    topic,
    key: key?.toString() ?? '',
    id: isUuid(id) ? id : derivedUuid(`${topic}/${partition}/${offset}`, namespace),
    payload: value ?? new Uint8Array(),
    headers: texts,
    time: new Date(Number(timestamp)),
  }
}

const textsOf = (headers: IHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String([value].flat().at(-1))]])),
  )
