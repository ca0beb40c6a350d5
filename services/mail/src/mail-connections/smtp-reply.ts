/** The most characters of a reply that are kept. */
const maxCharacters = 500

const gaps = /[\s\p{Cc}\p{Cf}\uFFFD]+/gu

/** The reply of a server as one line that can be shown and stored. */
export const replyText = (reply: string): string => reply.replaceAll(gaps, ' ').trim().slice(0, maxCharacters).toWellFormed()

/** The state of a recipient by the code of the reply: 5xx is final; 4xx, and what is no valid code, may succeed later (RFC 5321, 4.2.1). */
export const stateOfReply = (code: number | undefined): 'deferred' | 'refused' =>
  code !== undefined && code >= 500 && code < 600 ? 'refused' : 'deferred'
