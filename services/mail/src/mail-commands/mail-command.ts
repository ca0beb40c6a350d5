import { FieldError } from '@caseway/kit/fields'
import { IsDate } from 'typebox/format'

/** The ids of commands: 2 receives now, 3 sends now, 4 fetches older messages of one folder. */
export const commandIds = { receive: 2, send: 3, backfill: 4 } as const

/** The right that a backfill of each folder requires. */
export const rightOfFolder = {
  CLIENTS: 'mailbox.crm_folders.clients',
  OFFICES: 'mailbox.crm_folders.offices',
  PROVIDERS: 'mailbox.crm_folders.providers',
  LEADS: 'mailbox.crm_folders.leads',
  OTHERS: 'mailbox.personal_mailbox',
} as const

export type BackfillFolder = keyof typeof rightOfFolder

/** A request for a backfill. Its range begins with the day `fetchAfterDate` and ends today. */
export interface Backfill {
  readonly folderName: BackfillFolder
  /** YYYY-MM-DD. */
  readonly fetchAfterDate: string
}

const isFolder = (name: unknown): name is BackfillFolder => typeof name === 'string' && Object.hasOwn(rightOfFolder, name)

/** The day that was sent, or the error of the specification. Any day from the year 1 until today is valid. */
function dayOf(sent: unknown, today: string): string | FieldError {
  if (typeof sent !== 'string' || !IsDate(sent) || sent < '0001') return new FieldError('Invalid date format.')
  return sent > today ? new FieldError('Date cannot be in the future.') : sent
}

/** The requested backfill, or the texts of the specification (7.2) for each wrong field. */
export function backfillOf(
  sent: { folderName?: unknown; fetchAfterDate?: unknown },
  today: string,
): { backfill: Backfill } | { wrong: Record<string, string> } {
  const { folderName } = sent
  const fetchAfterDate = dayOf(sent.fetchAfterDate, today)
  const wrong = {
    ...(!isFolder(folderName) && { folder_name: 'Folder not allowed.' }),
    ...(fetchAfterDate instanceof FieldError && { fetch_after_date: fetchAfterDate.text }),
  }
  return isFolder(folderName) && typeof fetchAfterDate === 'string' ? { backfill: { folderName, fetchAfterDate } } : { wrong }
}

/** The tasks of a range: one for each calendar month, the newest first. `newest` is the first day of that month. */
export function monthsOf(fetchAfterDate: string, today: string): { newest: string; count: number } {
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return { newest: `${today.slice(0, 7)}-01`, count: monthOf(today) - monthOf(fetchAfterDate) + 1 }
}
