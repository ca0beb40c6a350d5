import type { Id } from '../../caller/index.js'
import { AppError, invalid } from '../../errors/index.js'
import type { CallerOf, Resource, ResourceHandlers } from '../../resource/index.js'
import type { ReadBody } from '../bodies/body.js'

type Sent<R extends Resource> = Parameters<NonNullable<ResourceHandlers<R>['fieldErrors']>>[1]

/**
 * Returns a function that calls the handler with a body that could be read. A refusal names every invalid field at once: those that could not be read,
 * those that the handler refuses, and those that its `fieldErrors` finds among the others.
 * @throws AppError `invalid`, or whatever else the handler throws
 */
export function bodyWriter<R extends Resource>({ fieldErrors }: ResourceHandlers<R>) {
  const refused = async (caller: CallerOf<R>, values: unknown, wrong: ReadBody['wrong'], id?: Id) =>
    invalid({ ...(await fieldErrors?.(caller, values as Sent<R>, id)), ...wrong })

  return async <Written>(caller: CallerOf<R>, { values, wrong }: ReadBody, write: () => Promise<Written>, id?: Id): Promise<Written> => {
    if (Object.keys(wrong).length > 0) throw await refused(caller, values, wrong, id)
    try {
      return await write()
    } catch (error) {
      if (fieldErrors && error instanceof AppError && error.kind === 'invalid' && error.fields)
        throw await refused(caller, values, error.fields, id)
      throw error
    }
  }
}
