import type { Id } from '@caseway/kit/caller'
import { systemFolders } from '../received-messages/target-folder.js'

/** The most levels of nested folders. */
export const maxDepth = 10

export interface OrderedFolder {
  readonly id: Id
  readonly systemName: (typeof systemFolders)[number] | null
}

const placeOf = ({ systemName }: OrderedFolder) => (systemName === null ? systemFolders.length : systemFolders.indexOf(systemName))

/**
 * Sorts folders as the user has ordered them. Folders without a place in the order follow, system folders first.
 * @param order ids, some of which may be of deleted folders
 */
export function inOrder<Folder extends OrderedFolder>(folders: readonly Folder[], order: readonly Id[]): Folder[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const wanted = ({ id }: Folder) => places.get(id) ?? order.length
  return folders.toSorted((a, b) => wanted(a) - wanted(b) || placeOf(a) - placeOf(b) || Number(a.id - b.id))
}

/** Reads the ids of an order stored as JSON; an empty text has none. */
export const orderedIds = (order: string): Id[] => (order === '' ? [] : (JSON.parse(order) as (number | string)[]).map(BigInt))
