/** Of what a server says, in characters. */
const most = 500

const gaps = /[\s\p{Cc}\p{Cf}\uFFFD]+/gu

/** What a server said, as one line that can be shown and stored. */
export const replyText = (said: string): string => said.replaceAll(gaps, ' ').trim().slice(0, most).toWellFormed()

/** Of the code of a reply: 4xx may succeed later, as may what is no code (RFC 5321, 4.2.1). */
export const stateOfReply = (code: number | undefined): 'deferred' | 'refused' =>
  code !== undefined && code >= 500 && code < 600 ? 'refused' : 'deferred'
