/** A repeated request with the same key has one effect; see `Idempotency-Key` in the document of the API. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
