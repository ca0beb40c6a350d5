/** The address of an S3 store, and the credentials for it. */
export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly timeoutMs: number
}
