export interface ClusterFolder {
  dataDir: string
  /** Of the superuser, who is called postgres. */
  password: string
}

export interface StartOptions extends ClusterFolder {
  logFile: string
  /** A free one when it is left out. */
  port?: number
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>
  /** With it the server speaks TLS. It names 127.0.0.1. */
  certificate?: { certFile: string; keyFile: string; caFile: string } | undefined
  /** A folder that goes when the server has stopped. */
  removeAfter?: string
}

export interface Cluster {
  port: number
  /** The address of a database, as the superuser when nobody else is named. */
  url(database: string, user?: string, password?: string): string
  stop(): Promise<void>
  /** Resolves when the server has ended, for whatever reason. */
  stopped: Promise<unknown>
}

export function initCluster(options: ClusterFolder & { durable?: boolean }): Promise<void>
export function startCluster(options: StartOptions): Promise<Cluster>
export function runningServer(dataDir: string): { pid: number; port: number; ready: boolean } | undefined
