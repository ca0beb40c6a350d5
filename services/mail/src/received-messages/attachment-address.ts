import type { Id } from '@caseway/kit/caller'
import { messageName } from './received-message-address.js'

/** Where a part of a message is served, on the address of the employees. */
export const attachmentAddress = (messageId: Id, position: number): string =>
  `/rest/${messageName.path}/${messageId}/attachment/${position}`
