/** What PostgreSQL enforces for the rows of a table. */
export type TableRule =
  | { readonly kind: 'office'; readonly column: string }
  | { readonly kind: 'client'; readonly column: string; readonly atOpenOffices: boolean; readonly mayLock: boolean }
  | { readonly kind: 'platform' }
  | { readonly kind: 'readable'; readonly name: string; readonly where: string }
  | { readonly kind: 'readable-by-owner'; readonly by: string }
  | { readonly kind: 'unprotected'; readonly reason: string }
  | { readonly kind: 'of-office'; readonly where: string }
  | { readonly kind: 'outlives-offices'; readonly reason: string }
  | { readonly kind: 'secret'; readonly columns: readonly string[] }
  | { readonly kind: 'personal'; readonly where: string; readonly becomes: Readonly<Record<string, string>> | 'nothing' }
  | { readonly kind: 'written'; readonly columns: readonly string[]; readonly own: string; readonly json: boolean }
  | { readonly kind: 'impersonal'; readonly columns: readonly string[] }
  | { readonly kind: 'versioned'; readonly except: string | undefined }
  | { readonly kind: 'foreign-ids'; readonly columns: Readonly<Record<string, string>> }
  | { readonly kind: 'imported'; readonly columns: Readonly<Record<string, string>> }
  | { readonly kind: 'not-imported'; readonly reason: string }

/** Every table of a service. `npm run policies -- <service>` writes the migration that makes the database obey it. */
export type Tables = Readonly<Record<string, readonly TableRule[]>>

/** An office reads and writes the rows with its id in `column`, the platform all of them. */
export const officeRows = (column = 'customer_id'): TableRule => ({ kind: 'office', column })

export interface ClientAccess {
  /** Only rows of the offices that the function `client_offices()` of the database lists; `customer_id` names the office of a row. */
  readonly atOpenOffices?: boolean
  /** May also lock the rows (`FOR UPDATE`), without changing them. */
  readonly mayLock?: boolean
}

/** A client reads the rows with their id in `column`, of all offices unless `access` limits it, and writes none. */
export const clientRows = (column: string, { atOpenOffices = false, mayLock = false }: ClientAccess = {}): TableRule => ({
  ...{ kind: 'client', column },
  ...{ atOpenOffices, mayLock },
})

/** The platform reads and writes all rows; no office and no client does, unless another rule of the table says so. */
export const platformRows = (): TableRule => ({ kind: 'platform' })

/**
 * The rows for which `where` holds can be read, for what the other rules cannot say.
 * @param where SQL; `currentOffice`, `currentClient` and `currentClientText` are what it can compare with
 */
export const readable = (name: string, where: string): TableRule => ({ kind: 'readable', name, where })

/**
 * The owner of the table reads all rows, for the function `by`, which has the owner's rights (SECURITY DEFINER) and itself limits the rows to the
 * office of the transaction: behind row-level security PostgreSQL uses no index for an operator that is not leakproof, such as `@@`. The role of
 * a service owns no table (see `migrate`).
 */
export const readableByOwner = (by: string): TableRule => ({ kind: 'readable-by-owner', by })

/** No row-level security, because of `reason`. */
export const unprotected = (reason: string): TableRule => ({ kind: 'unprotected', reason })

/**
 * Each UPDATE of a row advances its columns `version` and `modified`, whatever the statement sets them to.
 * @param options.except a column whose change is no change of the record
 */
export const versioned = ({ except }: { except?: string } = {}): TableRule => ({ kind: 'versioned', except })

/**
 * The rows for which `where` holds are data of one office although they do not name it: they are deleted with it (see `kit/office-data`). Tables
 * that `where` reads stand above this one.
 * @param where SQL, in which `$1` is the id of the office
 */
export const ofOffice = (where: string): TableRule => ({ kind: 'of-office', where })

/** Rows that stay when an office is deleted, because of `reason`. */
export const outlivesOffices = (reason: string): TableRule => ({ kind: 'outlives-offices', reason })

/** Columns that no export of an office has: what proves who somebody is, and what only this installation can decrypt. */
export const secret = (...columns: string[]): TableRule => ({ kind: 'secret', columns })

/**
 * The rows for which `where` holds are data of one client: when the person is erased (see `kit/person-data`), their columns become what is said
 * here. Of a table with rows of offices these are the rows of the office that is asked; of any other, `where` says so itself.
 * @param where SQL, in which the columns of `person` are known: `person_id`, `office_id`, `emails` in lower case, `account` whether the account
 *   goes as well, `external_user_id`, and `phrases` by which they are found
 * @param becomes SQL by the names of the columns
 */
export const personal = (where: string, becomes: Readonly<Record<string, string>>): TableRule => ({ kind: 'personal', where, becomes })

/** As `personal`; the rows are deleted. */
export const personalRows = (where: string): TableRule => ({ kind: 'personal', where, becomes: 'nothing' })

interface WrittenOptions {
  /** SQL as in `personal`: the rows in which a single name means the person. */
  readonly own?: string
  /** Whether the columns are JSON: its keys stay what they are. */
  readonly json?: boolean
}

/** What people write: addresses, phones and full names of a person who is erased are blacked out in it, and where the row is their own, every name. */
export const written = (columns: readonly string[], { own = 'false', json = false }: WrittenOptions = {}): TableRule => ({
  ...{ kind: 'written', columns },
  ...{ own, json },
})

/** Columns of texts that are never about a client. */
export const impersonal = (...columns: string[]): TableRule => ({ kind: 'impersonal', columns })

/**
 * Columns with ids of rows, by their names: the table of these rows, with its service (`auth.users`). An office that is imported (see `kit/office-data`)
 * has other ids here. The column `id` of a table that gives ids itself, and the one that names the office, are not named.
 */
export const foreignIds = (columns: Readonly<Record<string, string>>): TableRule => ({ kind: 'foreign-ids', columns })

/**
 * What columns become in a row of an office that is imported, where that is neither the same nor another id of one table.
 * @param columns SQL by the names of the columns, in which the columns of the exported row are known, and `newId` and its like
 */
export const imported = (columns: Readonly<Record<string, string>>): TableRule => ({ kind: 'imported', columns })

/** Rows of an export that no import takes, because of `reason`. */
export const notImported = (reason: string): TableRule => ({ kind: 'not-imported', reason })

/** Rows of an export that no import takes: a copy of what another service owns is filled from there. */
export const copied = (): TableRule => notImported('It is a copy, which is filled from the snapshot of its owner.')

/** Whether an office reads rows of the table, and so may have them in an export. */
export const isExported = (rules: readonly TableRule[]): boolean => rules.some(({ kind }) => kind === 'office' || kind === 'readable')

/** Whether an import takes the rows of an export. */
export const isImported = (rules: readonly TableRule[]): boolean => isExported(rules) && !rules.some(({ kind }) => kind === 'not-imported')

/** The columns that no export has. */
export const secretsOf = (rules: readonly TableRule[]): string[] => rules.flatMap((rule) => (rule.kind === 'secret' ? rule.columns : []))
