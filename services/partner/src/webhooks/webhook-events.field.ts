import { jsonValue } from '@caseway/kit/fields'
import Type from 'typebox'
import { eventTypes } from '../webhook-events/event-type.js'

/** Subscribes to all types of events, including those of later builds. */
export const everyEvent = '*'

const names = [everyEvent, ...eventTypes.map(({ type }) => type)]

/** A list of types of events. */
export const webhookEvents = jsonValue(
  Type.Array(Type.Unsafe<string>({ enum: names, type: 'string' }), {
    ...{ minItems: 1, uniqueItems: true },
    description: 'Types of events, which `webhooks` of this document lists; `*` for all of them.',
  }),
)
