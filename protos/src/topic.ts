/** The encoder and decoder that ts-proto generates for a message. */
export interface MessageCodec<T> {
  encode(message: T): { finish(): Uint8Array }
  decode(payload: Uint8Array): T
}

/** A topic: its name on the broker (`auth.user.v1`), its message, and the key by which events are ordered. */
export interface Topic<T> {
  readonly name: string
  readonly message: MessageCodec<T>
  readonly key: (event: T) => string
}

/** Declares a topic. `key` is the id of the aggregate, or of its office: events with the same key are delivered in order. */
export const defineTopic = <T>(topic: Topic<T>): Topic<T> => topic
