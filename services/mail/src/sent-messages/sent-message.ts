/** The status of a message, by the numbers of the API. */
export const states = { queued: 0, processing: 1, done: 2, failed: 3, draft: 4 } as const
export type State = (typeof states)[keyof typeof states]

const { queued, processing, done, failed, draft } = states

/** The states into which the owner may move a message; none while it is being sent, or after it was sent. */
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

/** The folders of messages that are written here. Queued messages are in SENT. */
export const sentFolders = ['DRAFTS', 'SENT', 'TRASH'] as const
export type SentFolder = (typeof sentFolders)[number]

export const folderOf = (state: State): SentFolder => (state === draft ? 'DRAFTS' : 'SENT')

/** The outcome of deleting a message: `removed` for good, `refused`, or its state in TRASH. A queued message becomes a draft there, so that it is not sent. */
export function deleted({ status, folderName }: { readonly status: number; readonly folderName: string }): 'removed' | 'refused' | State {
  if (status === processing) return 'refused'
  if (status === draft || folderName === 'TRASH') return 'removed'
  return status === queued ? draft : (status as State)
}

/** The time to send a message; null, which means now, where it is past. */
export const laterThan = (now: Date, sendAt: Date | null): Date | null => (sendAt !== null && sendAt > now ? sendAt : null)
