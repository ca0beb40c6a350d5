import type { Employee } from '@caseway/kit/caller'
import type { ChangedMail } from './changed-mail.js'

/** The service of mail, which decides who reads which message. */
export interface MailDirectory {
  /** Those of the messages that `reader` reads, as JSON in their wrappers; of those that `reader` reads no more the id alone. */
  records(reader: Employee, mail: ChangedMail): Promise<readonly string[]>
}
