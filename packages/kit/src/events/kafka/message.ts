import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { EventRecord } from '../transport.js'

/** CloudEvents 1.0, Kafka protocol binding, binary content mode: the attributes are headers, the value is the payload. */
export const messageOf = ({ key, id, payload, headers, time }: EventRecord): Message => ({
  key,
  value: Buffer.from(payload),
  headers: { ...headers, ce_id: id },
  timestamp: String(time.getTime()),
})

export function recordOf(topic: string, { key, value, headers = {}, timestamp }: KafkaMessage): EventRecord {
  const texts = textsOf(headers)
  return {
    topic,
    key: key?.toString() ?? '',
    id: texts.ce_id ?? '',
    payload: value ?? new Uint8Array(),
    headers: texts,
    time: new Date(Number(timestamp)),
  }
}

const textsOf = (headers: IHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String([value].flat().at(-1))]])),
  )
