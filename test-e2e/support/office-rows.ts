import type { IdBlock } from '@caseway/kit/office-data'
import type { TableRule } from '@caseway/kit/tables'

type Row = Record<string, unknown>

interface NewIds {
  readonly customerId: string
  /** The block of the row's table, if the table has ids. */
  readonly own: IdBlock | undefined
  readonly all: Record<string, IdBlock>
}

/** The offset for ids without a row in the export. */
const beyondSequences = 10 ** 13

const newId = (id: unknown, block: IdBlock | undefined) => {
  if (id === null || id === 0) return id
  const known = block?.known?.[String(id)]
  if (known) return Number(known)
  const isThere = Number(id) >= Number(block?.first) && Number(id) <= Number(block?.last)
  return Number(id) + (isThere ? Number(block?.shift) : beyondSequences)
}

const changed = (rules: readonly TableRule[]) => rules.flatMap((rule) => (rule.kind === 'imported' ? Object.keys(rule.columns) : []))
/** Columns that change by themselves. */
const volatile = ['blob_key', 'version', 'modified', 'revision', 'known']

/** A row without the columns that an import changes in other ways. */
export const without = (row: Row, rules: readonly TableRule[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => ![...changed(rules), ...volatile].includes(name)))

/** The row after an import: with the ids of the imported office. */
export function renumbered(row: Row, rules: readonly TableRule[], { customerId, own, all }: NewIds): Row {
  const renewed: Row = { ...row, ...(own && { id: newId(row.id, own) }) }
  for (const rule of rules) {
    if (rule.kind === 'office') renewed[rule.column] = Number(customerId)
    if (rule.kind === 'foreign-ids') for (const [column, of] of Object.entries(rule.columns)) renewed[column] = newId(row[column], all[of])
  }
  return without(renewed, rules)
}

export const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted()
