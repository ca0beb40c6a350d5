import type { SystemFolder } from './target-folder.js'

/** One of both. */
type TracedFolder = { readonly folder?: SystemFolder; readonly mail_folder_id?: string }

/**
 * Why a message is in its folder, or was discarded; kept as JSON, with ids as texts. `rule`: a rule of the owner. `sender`: whom the office knows
 * by the address. `remote`: the folder in which it was on the server. `unknown`: nobody knows the sender. `moved`: somebody moved it. `too-old`:
 * it came before the mailbox is fetched from. `other-folder`: a backfill fetches another folder. `server`: found again after the server had
 * numbered its messages anew. `user`: somebody put it into a case, or took it out. `thread`: it came into the conversation of a case. `report`: it says
 * what became of a message that the mailbox has sent. `vanished`: it is gone from the drafts of its server. `returned`: it is there
 * again, or elsewhere.
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
