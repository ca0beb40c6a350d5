import type { Id } from '@caseway/kit/caller'
import { camel } from '@caseway/kit/resource'

/** An employee, or anything else that belongs to one office. */
export interface OfOffice {
  readonly customerId: Id
}

/** Ids by the names of the fields that contain them; null and undefined are not checked. */
export type References = Readonly<Record<string, Id | null | undefined>>

/** Reads the record that a request changes. */
export type Stored = () => Promise<object>

/**
 * The names of the fields whose ids do not exist. In a change of a record, ids that the record already has are accepted: a record that is sent back as it
 * was read may name people who have left since.
 * @param stored called only where an id does not exist
 */
export async function missingReferences(references: References, exists: (id: Id) => Promise<boolean>, stored?: Stored): Promise<string[]> {
  const checked = Object.entries(references).map(async ([field, id]) => (id == null || (await exists(id)) ? [] : [field]))
  const missing = (await Promise.all(checked)).flat()
  if (!stored || missing.length === 0) return missing
  const record = (await stored()) as Readonly<Record<string, unknown>>
  return missing.filter((field) => record[camel(field)] !== references[field])
}
