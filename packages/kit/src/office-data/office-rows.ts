import type { TableRule, Tables } from '../tables/index.js'

/** The rows of a table that are data of an office. */
export interface OfficeRows {
  /** With its schema where that is not `public`. */
  readonly table: string
  /** SQL, in which `$1` is the id of the office. */
  readonly where: string
}

const whereOf = (rule: TableRule): string[] => {
  if (rule.kind === 'office') return [`"${rule.column}" = $1`]
  return rule.kind === 'of-office' ? [rule.where] : []
}

/**
 * The data of an office in the tables of a service: what refers to other rows before what it refers to, which the tables declare above it.
 * @throws Error when a table does not say which of its rows are an office's
 */
export const officeRowsOf = (tables: Tables): OfficeRows[] =>
  Object.entries(tables)
    .toReversed()
    .flatMap(([table, rules]) => {
      if (rules.some(({ kind }) => kind === 'outlives-offices')) return []
      const conditions = rules.flatMap(whereOf)
      if (conditions.length === 0) throw new Error(`The table ${table} needs one of officeRows, ofOffice and outlivesOffices.`)
      return [{ table: `"${table}"`, where: conditions.join(' OR ') }]
    })
