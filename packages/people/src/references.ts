import type { Id } from '@caseway/kit/caller'

/** An employee, or whatever else belongs to one office. */
export interface OfOffice {
  readonly customerId: Id
}

/** Ids by the fields that carry them; a field without one refers to no record. */
export type References = Readonly<Record<string, Id | null | undefined>>

/** The fields whose ids do not exist. */
export async function missingReferences(references: References, exists: (id: Id) => Promise<boolean>): Promise<string[]> {
  const checked = Object.entries(references).map(async ([field, id]) => (id == null || (await exists(id)) ? [] : [field]))
  return (await Promise.all(checked)).flat()
}
