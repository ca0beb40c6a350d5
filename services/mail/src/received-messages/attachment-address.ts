import type { Id } from '@caseway/kit/caller'
import { messageName } from './received-message-address.js'

/** The address below which the attachments of a message are served to employees. */
export const attachmentsAddress = (messageId: Id | string): string => `/rest/${messageName.path}/${messageId}/attachment/`

/** The address of one attachment. */
export const attachmentAddress = (messageId: Id, position: number): string => `${attachmentsAddress(messageId)}${position}`
