import type { Employee } from '@caseway/kit/caller'
import { action, type Routes, recordEncoder, recordSchema, singletonRoute, wrappedBody } from '@caseway/kit/http'
import { type MailFolderSettingRecord, mailFolderSettingResource } from './mail-folder-setting.resource.js'

interface Settings {
  own(caller: Employee): Promise<MailFolderSettingRecord>
  save(caller: Employee, order: string): Promise<MailFolderSettingRecord>
}

const { order } = mailFolderSettingResource.fields
const { $id: _, ...schema } = recordSchema(mailFolderSettingResource)
const encode = recordEncoder({ ...mailFolderSettingResource, unwrapped: true })

/** The only record of the caller. POST answers it without its wrapper. */
export const mailFolderSettingRoutes = ({ own, save }: Settings): Routes => [
  singletonRoute(mailFolderSettingResource, { path: '', operationId: 'getMailFolderSetting' }, own),
  action(
    mailFolderSettingResource,
    {
      ...{ method: 'POST', path: '', operationId: 'saveMailFolderSetting', body: wrappedBody('MailFolderSetting', { order }) },
      summary: 'Sets the order of the caller’s folders.',
      answers: { 200: { description: 'The record.', ...schema } },
    },
    async ({ caller, body, space }) => encode(await save(caller, body.order), await space.zones(caller.customerId)),
  ),
]
