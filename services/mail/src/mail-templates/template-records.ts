import type { Id } from '@caseway/kit/caller'
import type { TemplateKind } from './mail-template.js'

/** Records of other services, as they are now. */
export interface TemplateRecords {
  /** A record in its REST form; undefined where the office has none. @throws AppError `unavailable` while its owner does not answer */
  find(customerId: Id, kind: TemplateKind, id: Id): Promise<Readonly<Record<string, unknown>> | undefined>
}
