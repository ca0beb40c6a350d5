import type { Id } from '@caseway/kit/caller'
import { messageName } from './received-message-address.js'

/** Below which the parts of a message are served, on the address of the employees. */
export const attachmentsAddress = (messageId: Id | string): string => `/rest/${messageName.path}/${messageId}/attachment/`

/** Where a part of a message is served. */
export const attachmentAddress = (messageId: Id, position: number): string => `${attachmentsAddress(messageId)}${position}`
