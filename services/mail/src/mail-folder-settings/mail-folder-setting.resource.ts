import { idInteger, idSchema, jsonText, type Kind, offsetTimestamp, required } from '@caseway/kit/fields'
import { defineResource, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'

const refuse = (ids: readonly (number | string)[]) =>
  new Set(ids.map(String)).size < ids.length ? 'must not name a folder twice' : undefined

const ids = jsonText(Type.Array(idSchema, { maxItems: 10_000 }), { refuse })

/** A JSON array of folder ids; an empty text where no order is set. */
const order: Kind<string> = { ...ids, decode: (wire, zone) => (wire === '' ? '' : ids.decode(wire, zone)) }

export const mailFolderSettingResource = defineResource({
  name: 'MailFolderSetting',
  path: 'mail_folder_setting',
  table: 'mail_folder_settings',
  fields: {
    id: idInteger,
    customer_id: idInteger,
    user_id: idInteger,
    order: { ...required(order), mayBeEmpty: true },
    created: offsetTimestamp,
    modified: offsetTimestamp,
  },
  unindexed: { id: 'A user has only one, so there is no list.' },
  ownedBy: 'user_id',
})

export type MailFolderSettingRecord = RecordOf<typeof mailFolderSettingResource>
