import type { Id } from '@caseway/kit/caller'
import { type CounterValue, type IssueCounter, noUser } from './issue-counter.js'

/** The counters, by the object that they count. */
export const counterTypes = {
  Issue: ['my', 'myPerUser', 'unassigned', 'unaccepted', 'delegated'],
  MailReceivedMysqlMessage: ['clients', 'others', 'drafts', 'offices', 'providers', 'leads', 'customFolders'],
} as const
export type CounterObject = keyof typeof counterTypes
export type CounterType = (typeof counterTypes)[CounterObject][number]

export type MailFolder = 'clients' | 'others' | 'drafts' | 'offices' | 'providers' | 'leads' | 'custom'

/** The count of a mail folder: its unread messages, or, for drafts, all. */
export interface FolderValue {
  readonly folder: MailFolder
  /** `noUser` for a folder of the office. */
  readonly userId: Id
  /** The id of a custom folder; otherwise 0. */
  readonly folderId: Id
  readonly value: number
}

export type Numbers = Partial<Record<CounterType, number | Record<string, number>>>
export type Counters = Partial<Record<CounterObject, Numbers>>

const sum = <T extends { value: number }>(values: readonly T[], counts: (value: T) => boolean) =>
  values.reduce((total, value) => (counts(value) ? total + value.value : total), 0)

/** The counters of cases for `user`, or for a group of people instead. `values` may contain rows of other people. */
export function issueNumbers(values: readonly CounterValue[], user: Id, group?: ReadonlySet<Id>): Numbers {
  const users = group ?? new Set([user])
  const ofUsers = (wanted: IssueCounter) =>
    sum(values, ({ counter, userId, otherUserId }) => counter === wanted && (users.has(userId) || users.has(otherUserId)))
  const listed = values.filter(({ counter, userId }) => counter === 'owned' && (!group || group.has(userId)))
  return {
    my: ofUsers('owned'),
    myPerUser: Object.fromEntries(listed.map(({ userId, value }) => [userId, value])),
    unassigned: sum(values, ({ counter }) => counter === 'unassigned'),
    unaccepted: ofUsers('unaccepted'),
    delegated: ofUsers('delegated'),
  }
}

/** The mail counters of a person: their own folders and those of the office. */
export function mailNumbers(values: readonly FolderValue[], user: Id): Numbers {
  const theirs = values.filter(({ userId }) => userId === user || userId === noUser)
  const of = (wanted: MailFolder) => sum(theirs, ({ folder }) => folder === wanted)
  const custom = theirs.filter(({ folder }) => folder === 'custom')
  return {
    clients: of('clients'),
    others: of('others'),
    drafts: of('drafts'),
    offices: of('offices'),
    providers: of('providers'),
    leads: of('leads'),
    customFolders: Object.fromEntries(custom.map(({ folderId, value }) => [folderId, value])),
  }
}

/** The requested part of the counters. `myPerUser` is only included when it is named. */
export function select(counters: Required<Counters>, object?: CounterObject, type?: CounterType): Counters {
  const { myPerUser, ...issue } = counters.Issue
  if (object && type) return { [object]: { [type]: counters[object][type] } }
  const usual = { ...counters, Issue: issue }
  return object ? { [object]: usual[object] } : usual
}
