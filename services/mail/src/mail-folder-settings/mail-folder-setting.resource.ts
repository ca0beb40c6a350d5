import { idInteger, jsonText, type Kind, nullable, offsetTimestamp, required } from '@caseway/kit/fields'
import { defineResource, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'

const id = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[1-9][0-9]{0,14}$' })])
const refuse = (ids: readonly (number | string)[]) =>
  new Set(ids.map(String)).size < ids.length ? 'must not name a folder twice' : undefined

const ids = jsonText(Type.Array(id, { maxItems: 10_000 }), { refuse })

/** A JSON array of folder ids; an empty text where no order is set. */
const order: Kind<string> = { ...ids, decode: (wire, zone) => (wire === '' ? '' : ids.decode(wire, zone)) }

export const mailFolderSettingResource = defineResource({
  name: 'MailFolderSetting',
  path: 'mail_folder_setting',
  table: 'mail_folder_settings',
  fields: {
    id: { ...idInteger, output: { type: 'integer', minimum: 0, description: '0 until it is set.' } },
    customer_id: idInteger,
    user_id: idInteger,
    order: { ...required(order), mayBeEmpty: true },
    created: nullable(offsetTimestamp),
    modified: nullable(offsetTimestamp),
  },
  unindexed: { id: 'A user has only one, so there is no list.' },
  ownedBy: 'user_id',
})

export type MailFolderSettingRecord = RecordOf<typeof mailFolderSettingResource>
