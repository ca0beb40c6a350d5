import { folder, integer } from '@caseway/kit/config'

/** The variables for composing messages. */
export const compositionVariables = {
  ATTACHED_BYTES: integer({
    ...{ default: 26_214_400, min: 1, max: 104_857_600 },
    help: 'Maximum total size of the files of a sent message, in bytes; their encoding in the message is a third larger',
  }),
  DKIM_FOLDER: folder({
    optional: true,
    help: 'Folder of the private keys that sign the messages of offices (DKIM): `<id of the office>.<selector>._domainkey.<domain>.pem`',
  }),
}
