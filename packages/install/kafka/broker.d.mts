export interface Broker {
  /** `host:port`, for clients. */
  address: string
  pid: number
  ended: Promise<unknown>
  stop(): Promise<void>
}

export function startBroker(options: { home: string; port?: number }): Promise<Broker>
