import { jsonText } from '@caseway/kit/fields'
import Type from 'typebox'
import { isInOrder, type OpeningHours } from './opening-hours.js'

const minutes = Type.Integer({ minimum: 0, maximum: 1440 })
/** The list of times comes first, because the error of an invalid value is that of the first alternative. */
const day = Type.Optional(Type.Union([Type.Array(Type.Tuple([minutes, minutes]), { maxItems: 10 }), Type.Literal(false)]))

const week = Type.Object({ 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day }, { additionalProperties: false })

/** See `OpeningHours`. */
export const openingHours = jsonText(week, {
  refuse(hours: OpeningHours) {
    const [wrong] = Object.entries(hours).find(([, day]) => day && !isInOrder(day)) ?? []
    return wrong && `must have the times of day ${wrong} as pairs [from, to] with from < to, in their order and without overlap`
  },
})
