import type { TestTenant } from '@caseway/testing'
import type { TestService } from '@caseway/testing/service'

interface StoredRow {
  readonly id: string
  readonly mail_thread_id: string
  readonly folder_name: string | null
  readonly is_read: boolean
  readonly mail_body: string
}

/** The stored rows of an office; `of` returns the office, at the time of a call. */
export const storedMessages = ({ database: { rows } }: TestService, of: () => TestTenant) => ({
  messages: () => rows<StoredRow>('SELECT * FROM mail_received_messages WHERE customer_id = $1 ORDER BY id', [of().customerId]),
  places: () => rows('SELECT * FROM message_locations WHERE customer_id = $1 ORDER BY uid', [of().customerId]),
})
