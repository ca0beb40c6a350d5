import { consumer } from '@caseway/kit/events'
import { Folder } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import type { MailFolder } from './counter.js'
import type { CounterService } from './counter.service.js'

const names: Partial<Record<Folder, MailFolder>> = {
  [Folder.CLIENTS]: 'clients',
  [Folder.OTHERS]: 'others',
  [Folder.DRAFTS]: 'drafts',
  [Folder.OFFICES]: 'offices',
  [Folder.PROVIDERS]: 'providers',
  [Folder.LEADS]: 'leads',
  [Folder.CUSTOM]: 'custom',
}

export const folderCountConsumer = (counters: CounterService) =>
  consumer(folderCountTopic, async ({ folder, count: value, ...event }) => {
    const name = names[folder]
    // A folder of a later version of the contract, which this build does not know, is ignored.
    if (name) await counters.keepFolderCount({ ...event, folder: name, value })
  })
