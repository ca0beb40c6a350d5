/** What ts-proto generates for a message. */
export interface MessageCodec<T> {
  encode(message: T): { finish(): Uint8Array }
  decode(payload: Uint8Array): T
}

/** One kind of event: its name on the broker (`auth.user.v1`), its message, and the key that keeps one thing's events in order. */
export interface Topic<T> {
  readonly name: string
  readonly message: MessageCodec<T>
  readonly key: (event: T) => string
}

/** Declares a topic. `key` is the aggregate's id or its tenant's: events of one key are delivered in order. */
export const defineTopic = <T>(topic: Topic<T>): Topic<T> => topic
