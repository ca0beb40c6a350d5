import { invalid } from '@caseway/kit/errors'

/** A field that points at a record which the caller's office does not have; the same for a foreign id and an unknown one. */
export const noSuchRecord = (field: string) => invalid({ [field]: 'does not exist' })
