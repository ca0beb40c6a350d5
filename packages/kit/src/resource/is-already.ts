import { isDeepStrictEqual } from 'node:util'

/** Whether a record already has the values of `changes`; values that are undefined change nothing. */
export const isAlready = (record: object, changes: object): boolean =>
  Object.entries(changes).every(
    ([name, value]) => value === undefined || isDeepStrictEqual((record as Readonly<Record<string, unknown>>)[name], value),
  )
