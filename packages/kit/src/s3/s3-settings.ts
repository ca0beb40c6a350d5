/** Where an S3 store is, and as whom one signs in there. */
export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly timeoutMs: number
}
