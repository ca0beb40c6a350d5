export interface Broker {
  /** `host:port`, for clients. */
  address: string
  port: number
  pid: number
  stop(): Promise<void>
  /** Resolves when the broker has ended, for whatever reason. */
  stopped: Promise<unknown>
}

export function startBroker(options: { home: string; port?: number }): Promise<Broker>
