export interface S3Server {
  endpoint: string
  port: number
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  stop(): Promise<void>
}

export interface S3Options {
  /** The folder of its data, settings and log. */
  home: string
  bucket: string
  secretAccessKey: string
  port?: number
}

export function startS3(options: S3Options): Promise<S3Server>
