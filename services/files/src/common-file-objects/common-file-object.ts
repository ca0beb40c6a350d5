import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { LinkableObject } from '@caseway/kit/objects'

/** The names of objects to which files can be attached. */
export const objectNames = ['Issue', 'IssueSentence', 'Comment', 'MailSentMysqlMessage', 'MailReceivedMysqlMessage', 'CompanyCard'] as const
export type ObjectName = (typeof objectNames)[number]

/** The services that own these objects. */
export const ownerOf: Readonly<Record<ObjectName, string>> = {
  Issue: 'cases-and-counters',
  IssueSentence: 'cases-and-counters',
  Comment: 'cases-and-counters',
  MailSentMysqlMessage: 'mail',
  MailReceivedMysqlMessage: 'mail',
  CompanyCard: 'company-card',
}

export interface ObjectKey {
  readonly objectName: ObjectName
  readonly objectId: Id
}

/** Objects of one name. */
export interface ObjectsOfName {
  readonly objectName: ObjectName
  readonly objectIds: readonly Id[]
}

/** The services that own the objects. Every call rejects with AppError `unavailable` where the owner does not answer. */
export interface ObjectOwners {
  /**
   * The object; undefined where the office does not have it, or the caller does not see it.
   * @throws AppError `forbidden` where they may not change its attachments
   */
  mayLink(caller: Employee | Client, customerId: Id, object: ObjectKey): Promise<LinkableObject | undefined>
  /** Those of the objects that exist. */
  some(customerId: Id, objects: ObjectsOfName): Promise<readonly LinkableObject[]>
}

export const isObjectName = (name: string): name is ObjectName => objectNames.includes(name as ObjectName)
