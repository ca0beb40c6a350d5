export interface ClusterFolder {
  dataDir: string
  /** The password of the superuser, who is called postgres. */
  password: string
}

export interface StartOptions extends ClusterFolder {
  logFile: string
  /** Default: a free port. */
  port?: number
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>
  /** Enables TLS. The certificate must name 127.0.0.1. */
  certificate?: { certFile: string; keyFile: string; caFile: string } | undefined
  /** A folder to remove when the server has stopped. */
  removeAfter?: string
}

export interface Cluster {
  port: number
  /** The URL of a database; default user: the superuser. */
  url(database: string, user?: string, password?: string): string
  stop(): Promise<void>
  /** Resolves when the server has ended, for whatever reason. */
  stopped: Promise<unknown>
}

export function initCluster(options: ClusterFolder & { durable?: boolean }): Promise<void>
export function startCluster(options: StartOptions): Promise<Cluster>
export function runningServer(dataDir: string): { pid: number; port: number; ready: boolean } | undefined
