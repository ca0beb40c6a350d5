/** Where a message is on its way, by the numbers of the interface. */
export const states = { queued: 0, processing: 1, done: 2, failed: 3, draft: 4 } as const
export type State = (typeof states)[keyof typeof states]

const { queued, processing, done, failed, draft } = states

/** What the owner may make of a message: nothing of one that is being sent, or was. */
const ownerMoves: Readonly<Record<State, readonly State[]>> = {
  [draft]: [draft, queued],
  [queued]: [queued, draft],
  [failed]: [failed, queued, draft],
  [processing]: [],
  [done]: [],
}

export const mayOwnerMove = (from: number, to: State): boolean => ownerMoves[from as State].includes(to)

/** Whether the owner may change a message in this state. */
export const isOpen = (state: number): boolean => ownerMoves[state as State].length > 0

/** The folders of messages that are written here. What waits to be sent is in SENT. */
export const sentFolders = ['DRAFTS', 'SENT', 'TRASH'] as const
export type SentFolder = (typeof sentFolders)[number]

export const folderOf = (state: State): SentFolder => (state === draft ? 'DRAFTS' : 'SENT')

/**
 * What becomes of a message that is deleted: `removed` for good, or where it goes. One that waits to be sent becomes a draft there, so that it
 * is not sent any more.
 */
export function deleted({ status, folderName }: { readonly status: number; readonly folderName: string }): 'removed' | 'refused' | State {
  if (status === processing) return 'refused'
  if (status === draft || folderName === 'TRASH') return 'removed'
  return status === queued ? draft : (status as State)
}

/** When a message is to be sent: what is over is now. */
export const laterThan = (now: Date, sendAt: Date | null): Date | null => (sendAt !== null && sendAt > now ? sendAt : null)
