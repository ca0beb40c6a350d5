export interface Broker {
  /** The address for clients, as `host:port`. */
  address: string
  port: number
  pid: number
  /** What a client needs in addition to the address. */
  security: { caFile: string; username: string; password: string }
  stop(): Promise<void>
  /** Resolves when the broker has ended, for whatever reason. */
  stopped: Promise<unknown>
}

export interface BrokerOptions {
  home: string
  port?: number
  certificate: { certFile: string; keyFile: string; caFile: string }
  password: string
}

export function startBroker(options: BrokerOptions): Promise<Broker>
