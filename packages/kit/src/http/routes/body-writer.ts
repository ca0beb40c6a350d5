import type { Id } from '../../caller/index.js'
import { AppError, invalid } from '../../errors/index.js'
import type { FieldErrors } from '../../resource/index.js'
import type { ReadBody } from '../bodies/body.js'

/**
 * Returns a function that runs `write` unless a field of the body is invalid. It throws AppError `invalid` with every invalid field at once: those that could
 * not be decoded or that `write` refuses, and those that `fieldErrors` finds among the others. Any other error of `write` is thrown unchanged.
 */
export function bodyWriter<Author, Sent>(fieldErrors: FieldErrors<Author, Sent> | undefined) {
  const refused = async (caller: Author, values: unknown, wrong: ReadBody['wrong'], id?: Id) =>
    invalid({ ...(await fieldErrors?.(caller, values as Sent, id, wrong)), ...wrong })

  return async <Written>(caller: Author, { values, wrong }: ReadBody, write: () => Promise<Written>, id?: Id): Promise<Written> => {
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
