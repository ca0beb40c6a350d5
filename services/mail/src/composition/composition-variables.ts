import { integer, text } from '@caseway/kit/config'

/** The variables for composing messages. */
export const compositionVariables = {
  ATTACHED_BYTES: integer({
    ...{ default: 26_214_400, min: 1, max: 104_857_600 },
    help: 'Maximum size of all files of a message that is sent, in bytes; in the message they are larger by a third',
  }),
  DKIM_FOLDER: text({
    optional: true,
    help: 'Folder of private keys with which messages of an office are signed (DKIM): `<id of the office>.<selector>._domainkey.<domain>.pem`',
  }),
}
