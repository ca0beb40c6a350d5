import type { Id } from '@caseway/kit/caller'
import { systemFolders } from '../received-messages/target-folder.js'

/** How many folders may be within each other. */
export const maxDepth = 10

export interface OrderedFolder {
  readonly id: Id
  readonly systemName: (typeof systemFolders)[number] | null
}

const placeOf = ({ systemName }: OrderedFolder) => (systemName === null ? systemFolders.length : systemFolders.indexOf(systemName))

/**
 * Folders as a user sees them: those that they have put into an order, and then the others; without an order the system folders first.
 * @param order ids, of which some may be of folders that are gone
 */
export function inOrder<Folder extends OrderedFolder>(folders: readonly Folder[], order: readonly Id[]): Folder[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const wanted = ({ id }: Folder) => places.get(id) ?? order.length
  return folders.toSorted((a, b) => wanted(a) - wanted(b) || placeOf(a) - placeOf(b) || Number(a.id - b.id))
}

/** The ids that an order in JSON lists; none in an empty text. */
export const orderedIds = (order: string): Id[] => (order === '' ? [] : (JSON.parse(order) as (number | string)[]).map(BigInt))
