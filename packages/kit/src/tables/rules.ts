/**
 * One rule for the rows of a table: who may access them (row-level security), how they are versioned, and what happens to them when an office is deleted,
 * exported or imported, or a person is erased.
 */
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

/** The rules of every table of a service. `npm run policies -- <service>` writes the migration that makes the database conform to them. */
export type Tables = Readonly<Record<string, readonly TableRule[]>>

/** An office reads and writes the rows with its id in `column`; the platform reads and writes all rows. */
export const officeRows = (column = 'customer_id'): TableRule => ({ kind: 'office', column })

export interface ClientAccess {
  /** Only rows whose `customer_id` is one of the offices that the SQL function `client_offices()` returns. */
  readonly atOpenOffices?: boolean
  /** The client may also lock the rows (`FOR UPDATE`), but not change them. */
  readonly mayLock?: boolean
}

/** A client reads the rows with their own id in `column`, of all offices unless `atOpenOffices` limits it, and writes none. */
export const clientRows = (column: string, { atOpenOffices = false, mayLock = false }: ClientAccess = {}): TableRule => ({
  ...{ kind: 'client', column },
  ...{ atOpenOffices, mayLock },
})

/** The platform reads and writes all rows; no office and no client does, unless another rule of the table says so. */
export const platformRows = (): TableRule => ({ kind: 'platform' })

/**
 * Every scope may read the rows for which `where` holds. For conditions that the other rules cannot express.
 * @param name the name of the policy
 * @param where SQL, which may compare columns with `currentOffice`, `currentClient` and `currentClientText`
 */
export const readable = (name: string, where: string): TableRule => ({ kind: 'readable', name, where })

/**
 * The owner of the table reads all rows, for the SECURITY DEFINER function `by`, which itself limits the rows to the office of the transaction. Under
 * row-level security PostgreSQL uses no index for an operator that is not leakproof, such as `@@`. The role of a service owns no table (see `migrate`).
 */
export const readableByOwner = (by: string): TableRule => ({ kind: 'readable-by-owner', by })

/** The table has no row-level security, for the given reason. */
export const unprotected = (reason: string): TableRule => ({ kind: 'unprotected', reason })

/**
 * A trigger on UPDATE increments the column `version` of a row and sets `modified`, whatever values the statement gives them.
 * @param options.except an UPDATE that changes this column leaves both unchanged
 */
export const versioned = ({ except }: { except?: string } = {}): TableRule => ({ kind: 'versioned', except })

/**
 * The rows for which `where` holds are data of one office, although they have no column with its id: they are deleted with the office (see
 * `kit/office-data`). Tables that `where` reads must be declared above this one.
 * @param where SQL, in which `$1` is the id of the office
 */
export const ofOffice = (where: string): TableRule => ({ kind: 'of-office', where })

/** The rows stay when an office is deleted, for the given reason. */
export const outlivesOffices = (reason: string): TableRule => ({ kind: 'outlives-offices', reason })

/** Columns that no export of an office contains: credentials, and values that only this installation can decrypt. */
export const secret = (...columns: string[]): TableRule => ({ kind: 'secret', columns })

/**
 * The rows for which `where` holds are data of one client: when the person is erased (see `kit/person-data`), the columns of `becomes` are overwritten.
 * In a table with `officeRows` only rows of the office that erases the person are affected; in any other table `where` itself must limit the office.
 * @param where SQL, which may use the columns of `person`: `person_id`, `office_id`, `emails` in lower case, `account` (whether the account
 *   is erased as well), `external_user_id`, and `phrases` (their email addresses, phone numbers and full names)
 * @param becomes SQL of the new values, by column
 */
export const personal = (where: string, becomes: Readonly<Record<string, string>>): TableRule => ({ kind: 'personal', where, becomes })

/** As `personal`, but the rows are deleted. */
export const personalRows = (where: string): TableRule => ({ kind: 'personal', where, becomes: 'nothing' })

interface WrittenOptions {
  /** SQL as in `personal`: the rows about the person, in which every first or last name alone means them. Default none. */
  readonly own?: string
  /** Whether the columns hold JSON, whose keys stay unchanged. */
  readonly json?: boolean
}

/**
 * Columns of free text: when a person is erased, their addresses, phone numbers and full names in it are blacked out; in rows of `own`, each of their names
 * alone as well.
 */
export const written = (columns: readonly string[], { own = 'false', json = false }: WrittenOptions = {}): TableRule => ({
  ...{ kind: 'written', columns },
  ...{ own, json },
})

/** Text columns that never contain data about a client: the erasure of a person leaves them unchanged. */
export const impersonal = (...columns: string[]): TableRule => ({ kind: 'impersonal', columns })

/**
 * Columns with ids of other rows: the referenced table with its service (`auth.users`), by column. An import of an office (see `kit/office-data`) replaces
 * these ids by new ones. An identity column `id` and the column of `officeRows` are replaced without being listed here.
 */
export const foreignIds = (columns: Readonly<Record<string, string>>): TableRule => ({ kind: 'foreign-ids', columns })

/**
 * New values of columns in imported rows, for columns that are neither copied unchanged nor covered by `foreignIds`.
 * @param columns SQL by column, which may use the columns of the exported row, `newId`, `newIdOf`, `newIdsOf` and `isKnown`
 */
export const imported = (columns: Readonly<Record<string, string>>): TableRule => ({ kind: 'imported', columns })

/** No import writes the rows of this table, for the given reason. */
export const notImported = (reason: string): TableRule => ({ kind: 'not-imported', reason })

/** `notImported` for a copy of another service's data, which is filled from the snapshot of its owner. */
export const copied = (): TableRule => notImported('It is a copy, which is filled from the snapshot of its owner.')

/** Whether the rows of the table are part of an export: an office may read them. */
export const isExported = (rules: readonly TableRule[]): boolean => rules.some(({ kind }) => kind === 'office' || kind === 'readable')

/** Whether an import writes rows of the table. */
export const isImported = (rules: readonly TableRule[]): boolean => isExported(rules) && !rules.some(({ kind }) => kind === 'not-imported')

/** The columns that no export contains (see `secret`). */
export const secretsOf = (rules: readonly TableRule[]): string[] => rules.flatMap((rule) => (rule.kind === 'secret' ? rule.columns : []))
