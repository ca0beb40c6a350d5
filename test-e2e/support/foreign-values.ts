import type { Resource } from '@caseway/kit/resource'
import type { StoredColumn, StoredRow } from './stored-rows.js'

/** An unused id. */
const nobodys = '9007199254740991'

const byType: Record<string, unknown> = {
  bigint: nobodys,
  integer: '77',
  numeric: '77.77',
  'timestamp with time zone': '1999-12-31 12:00:00',
}

/** Another option than the stored one, if the field is a choice. */
function anotherChoice({ fields }: Resource, column: string, stored: unknown): unknown {
  const choices = fields[column]?.input.enum as readonly unknown[] | undefined
  return choices?.find((choice) => choice !== stored)
}

/** A value that an attacker might write into a column: of its type, and different from `stored`. */
export function foreignValue(resource: Resource, { name, type }: StoredColumn, stored: StoredRow, otherOffice: string): unknown {
  if (name === 'customer_id') return otherOffice
  if (type === 'boolean') return stored[name] === true ? '0' : '1'
  return byType[type] ?? anotherChoice(resource, name, stored[name]) ?? 'Foreign'
}

/** Whether a column contains the value that was sent. */
export function holds(stored: unknown, sent: unknown, { type }: StoredColumn): boolean {
  if (stored === null) return false
  if (type === 'boolean') return stored === (sent === '1')
  if (type === 'timestamp with time zone') return String(stored).startsWith('1999-12-31')
  return ['bigint', 'integer', 'numeric'].includes(type) ? Number(stored) === Number(sent) : stored === sent
}
