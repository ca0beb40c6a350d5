import type { SystemFolder } from './target-folder.js'

/** Exactly one of the two is set. */
type TracedFolder = { readonly folder?: SystemFolder; readonly mail_folder_id?: string }

/**
 * Why a message is in its folder, or was discarded; stored as JSON, with ids as texts. `rule`: a rule of the owner. `sender`: the office knows the
 * sender's address. `remote`: its folder on the server. `unknown`: the sender is not known. `moved`: somebody moved it. `folder-removed`: its custom
 * folder was deleted. `too-old`: it arrived before the first day that is fetched. `other-folder`: a backfill fetches another folder. `server`: it was
 * found again after the server had renumbered its messages. `user`: somebody linked it to a case, or unlinked it. `thread`: it joined the
 * conversation of a case. `report`: it reports on a message that the mailbox has sent. `vanished`: it is gone from the drafts of the server.
 * `returned`: it is back there, or in another folder.
 */
export type TraceReason =
  | { readonly by: 'rule'; readonly rule: string; readonly mail_folder_id: string }
  | { readonly by: 'sender'; readonly kind: 'client' | 'provider' | 'office' | 'lead'; readonly folder: SystemFolder }
  | { readonly by: 'remote'; readonly special_use: string; readonly folder: SystemFolder }
  | { readonly by: 'unknown'; readonly folder: SystemFolder }
  | ({ readonly by: 'moved'; readonly user: string; readonly from: TracedFolder } & TracedFolder)
  | { readonly by: 'folder-removed'; readonly mail_folder_id: string; readonly folder: SystemFolder }
  | ({ readonly by: 'vanished' | 'returned'; readonly from: TracedFolder } & TracedFolder)
  | { readonly by: 'user'; readonly user: string; readonly issue_id: string | null }
  | { readonly by: 'thread'; readonly issue_id: string }
  | { readonly by: 'report'; readonly mail_sent_message: string }
  | { readonly by: 'too-old' | 'other-folder' | 'server' }
