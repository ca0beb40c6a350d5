import { flag, integer, type Rule, text, url, type Values } from '../config/index.js'
import { staysOnThisMachine } from '../database-address/index.js'
import type { S3Settings } from '../s3/index.js'

/** The address of an S3 store, and the credentials for it. `s3Rule` belongs to them. @param what the content, for the help: `files` */
export const s3Variables = (what: string) => ({
  S3_ENDPOINT: url({ optional: true, help: `S3 endpoint of the store for the bytes of ${what}, which replaces the folder` }),
  S3_BUCKET: text({ optional: true, help: `Existing bucket for the ${what}; all other objects in it are deleted` }),
  S3_ACCESS_KEY_ID: text({ optional: true, secret: true, help: 'Access key' }),
  S3_SECRET_ACCESS_KEY: text({ optional: true, secret: true, help: 'Secret access key' }),
  S3_REGION: text({ default: 'us-east-1', help: 'Region for which requests are signed' }),
  S3_TIMEOUT_MS: integer({
    default: 4_000,
    min: 1,
    help: 'Timeout in milliseconds for silence of the store, and for storing the end of a file; the gateway waits for 5 s',
  }),
  S3_INSECURE: flag({ default: false, help: 'Allow plain-text connections to the store over a network, not only on this machine' }),
})

export type S3Values = Values<ReturnType<typeof s3Variables>>

const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/**
 * The rule of `s3Variables`: all or none of endpoint, bucket and credentials are set, and the endpoint is https, on this machine, or allowed by `S3_INSECURE`.
 */
export const s3Rule: Rule<ReturnType<typeof s3Variables>> = (values, nameOf) => {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Insecure } = values
  const given = [s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey]
  const missing = needed.filter((_name, index) => given[index] === undefined)
  if (missing.length === needed.length) return []
  if (missing.length > 0)
    return [`${missing.map(nameOf).join(', ')} must be set: an S3 store needs all of ${needed.map(nameOf).join(', ')}.`]
  if (s3Insecure || s3Endpoint?.startsWith('https:') || staysOnThisMachine(s3Endpoint ?? '')) return []
  return [`${nameOf('S3_ENDPOINT')} must begin with https://: plain text over a network needs ${nameOf('S3_INSECURE')}=true.`]
}

/** The settings of the configured S3 store; undefined where none is configured. */
export function s3SettingsOf(values: S3Values): S3Settings | undefined {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Region, s3TimeoutMs } = values
  if (!(s3Endpoint && s3Bucket && s3AccessKeyId && s3SecretAccessKey)) return undefined
  return {
    ...{ endpoint: s3Endpoint, bucket: s3Bucket, region: s3Region, timeoutMs: s3TimeoutMs },
    ...{ accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
  }
}
