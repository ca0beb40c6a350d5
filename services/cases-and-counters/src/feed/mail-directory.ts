import type { Employee } from '@caseway/kit/caller'
import type { ChangedMail } from './changed-mail.js'

/** The mail service, which decides who may read which message. */
export interface MailDirectory {
  /** The records of the messages that `reader` may read, as JSON in their wrappers; only the ids of the others. */
  records(reader: Employee, mail: ChangedMail): Promise<readonly string[]>
}
