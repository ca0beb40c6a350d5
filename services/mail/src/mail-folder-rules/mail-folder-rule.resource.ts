import { flagText, idText, integerText, line, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { ruleConditions } from './rule-conditions.field.js'

const few = 'A user has some dozen rules.'

export const mailFolderRuleResource = defineResource({
  name: 'MailFolderRule',
  path: 'mail_folder_rule',
  table: 'mail_folder_rules',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: idText,
    mail_folder_id: required(idText),
    name: required(line({ max: 100 })),
    position: writable(integerText({ min: 0, max: 10_000 })),
    conditions: required(ruleConditions),
    active: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['mail_folder_id'],
  sort: ['position', 'id', 'modified'],
  unindexed: { id: few, modified: few },
  ownedBy: 'user_id',
})

export type NewMailFolderRule = InputOf<typeof mailFolderRuleResource>
export type MailFolderRuleChanges = ChangesOf<typeof mailFolderRuleResource>
