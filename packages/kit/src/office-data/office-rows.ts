import type { TableRule, Tables } from '../tables/index.js'

/** The rows of a table that are data of an office. */
export interface OfficeRows {
  /** In SQL, with its schema where that is not `public`. */
  readonly table: string
  /** SQL, in which `$1` is the id of the office. */
  readonly where: string
}

const whereOf = (rule: TableRule): string[] => {
  if (rule.kind === 'office') return [`"${rule.column}" = $1`]
  return rule.kind === 'of-office' ? [rule.where] : []
}

/**
 * The rows of an office in each table of a service, in the reverse order of the declaration: referencing tables before the tables that they refer to.
 * @throws Error when no rule of a table says which rows belong to an office
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
