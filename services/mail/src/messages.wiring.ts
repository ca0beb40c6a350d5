import type { HasRight, Routes } from '@caseway/kit/http'
import type { Db } from './database.js'
import { changeFolderCounts } from './folder-counts/folder-count.repository.js'
import { wireMailFolderRules } from './mail-folder-rules/mail-folder-rules.wiring.js'
import { wireMailFolderSettings } from './mail-folder-settings/mail-folder-settings.wiring.js'
import { wireMailFolders } from './mail-folders/mail-folders.wiring.js'
import { sanitizedMailHtml } from './mail-html/sanitize-html.client.js'
import type { Receiving } from './received-messages/arrived-message.js'
import { emptiedFolder } from './received-messages/emptied-folder.repository.js'
import type { SenderDirectory } from './received-messages/intake.service.js'
import type { MessageBytes } from './received-messages/message-bytes.js'
import { wireReceivedMessages } from './received-messages/received-messages.wiring.js'
import { recentMessages } from './received-messages/recent-message.repository.js'

interface Parts {
  readonly hasRight: HasRight
  readonly receiving: Receiving
  readonly bytes: MessageBytes
  readonly senders: SenderDirectory
}

/** What people see of received mail: messages and folders. `intake` is for whatever receives. */
export function wireMessages(db: Db, { hasRight, receiving, bytes, senders }: Parts) {
  const settings = wireMailFolderSettings(db)
  const folders = wireMailFolders(db, { orderOf: settings.orderOf, emptied: emptiedFolder(changeFolderCounts) })
  const rules = wireMailFolderRules(db, { keepFolders: folders.keep, recent: recentMessages(db) })
  const messages = wireReceivedMessages(db, {
    ...{ changeFolderCounts, html: sanitizedMailHtml, rules: rules.rules, senders },
    ...{ keepFolders: folders.keep, receiving, bytes, hasRight },
  })
  const routes: Routes = [settings.routes, folders.routes, rules.routes, messages.routes]
  return { routes, intake: messages.intake }
}
