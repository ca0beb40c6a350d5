import { email, integer, jsonText, line, nullable, paragraph, required, webAddress, writable } from '@caseway/kit/fields'
import Type from 'typebox'
import { openingHours } from './opening-hours.field.js'

/** JSON in a string: an object whose keys are numbers from 1 to `last`, and whose values are booleans. */
const choices = (last: number) => {
  const keys = Array.from({ length: last }, (_, i) => [String(i + 1), Type.Optional(Type.Boolean())])
  return writable(jsonText(Type.Object(Object.fromEntries(keys), { additionalProperties: false })))
}

/** The public fields of a card. */
export const contents = {
  name: required(line({ max: 255 })),
  short_description: writable(nullable(paragraph({ max: 500 }))),
  description: writable(nullable(paragraph({ max: 10_000 }))),
  phone: writable(nullable(line({ max: 40 }))),
  email: writable(nullable(email)),
  url: writable(nullable(webAddress)),
  opening_hours: writable(openingHours),
  street: required(line({ max: 255 })),
  zip: required(line({ max: 16 })),
  city: required(line({ max: 100 })),
  city_slug: line({ max: 255 }),
  voivodeship: writable(nullable(integer({ min: 1, max: 16 }))),
  contact_method: choices(4),
  scope_of_service: choices(11),
  logo_filename: nullable(line({ max: 255 })),
}
