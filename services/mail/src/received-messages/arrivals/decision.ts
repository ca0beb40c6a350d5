import { firstMatch, type MailFolderRule } from '../../mail-folder-rules/mail-folder-rule.js'
import { type KnownSender, type SenderKind, senderKinds } from '../../senders/sender.js'
import { customFolder, type SystemFolder, systemFolder } from '../target-folder.js'
import type { Announced, Decision, ReceivingMailbox } from './arrived-message.js'

/** The input of a decision, besides the message. */
export interface DecidedBy {
  /** The rules of the owner of the mailbox, in their order. */
  readonly rules: readonly MailFolderRule[]
  /** Everything that the office knows about the sender's address. */
  readonly known: readonly KnownSender[]
}

/** Special folders of a server, and the folders of their messages here. A message from junk enters no folder of the office. */
const remote: Readonly<Record<string, SystemFolder>> = { sent: 'SENT', drafts: 'DRAFTS', trash: 'TRASH', junk: 'OTHERS' }

const folderOf: Readonly<Record<SenderKind, SystemFolder>> = {
  client: 'CLIENTS',
  provider: 'PROVIDERS',
  office: 'OFFICES',
  lead: 'LEADS',
}

/**
 * Decides where a message goes. A message from before `fetchAfter` is discarded. Otherwise the first of these applies: the system folder for its
 * special folder on the server; the folder of the owner's first matching rule; the folder for the kind of its sender (client, provider, office,
 * lead); OTHERS.
 */
export function decide({ place, internalDate, headers }: Announced, mailbox: ReceivingMailbox, { rules, known }: DecidedBy): Decision {
  if (mailbox.fetchAfter && internalDate < mailbox.fetchAfter) return { kind: 'discard', reason: { by: 'too-old' } }
  const special = remote[place.specialUse ?? '']
  if (special) {
    const reason = { by: 'remote', special_use: place.specialUse as string, folder: special } as const
    return { kind: 'store', folder: systemFolder(special), clientId: null, reason }
  }
  const kind = senderKinds.find((kind) => known.some((sender) => sender.kind === kind))
  const clientId = known.find((sender) => sender.kind === 'client')?.clientId ?? null
  const rule = firstMatch(rules, headers)
  if (rule) {
    const reason = { by: 'rule', rule: String(rule.id), mail_folder_id: String(rule.mailFolderId) } as const
    return { kind: 'store', folder: customFolder(rule.mailFolderId), clientId, reason }
  }
  if (!kind) return { kind: 'store', folder: systemFolder('OTHERS'), clientId, reason: { by: 'unknown', folder: 'OTHERS' } }
  const folder = folderOf[kind]
  return { kind: 'store', folder: systemFolder(folder), clientId, reason: { by: 'sender', kind, folder } }
}
