import { flag, grpcVariables, integer, socketAddress, text, tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'
import { s3Rule, s3Variables } from '@caseway/kit/storage'

const mebibyte = 1_048_576

export const config = serviceConfig('files', {
  edges: { ...grpcVariables, ...tokenVariables },
  asks: ['auth', 'cases-and-counters', 'company-card', 'mail'],
  own: {
    FOLDER: text({
      default: '/var/lib/caseway/files',
      help: 'Folder in which the bytes of files are stored, unless an S3 store is configured',
    }),
    ...s3Variables('files'),
    MAX_BYTES: integer({ default: 100 * mebibyte, min: 1, max: 2 ** 31 - 1, help: 'Maximum size of a file, in bytes' }),
    QUOTA_BYTES: integer({
      default: 0,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      help: 'Maximum size of all files of one office, in bytes; 0 is no limit',
    }),
    CLAMD_ADDRESS: socketAddress({
      optional: true,
      help: 'Address of the virus scanner (clamd), as `clamav:3310` or `/run/clamav/clamd.ctl`; without it only the EICAR test file is found',
    }),
    CLAMD_TIMEOUT_MS: integer({
      ...{ default: 150_000, min: 1000, max: 2 ** 31 - 1 },
      help: 'Milliseconds for which clamd may be silent during a scan; must be more than its `MaxScanTime`',
    }),
    SCAN_CONCURRENCY: integer({
      ...{ default: 4, min: 1, max: 100 },
      help: 'Files that one copy of the service scans at the same time, at most half of them for one office; must be less than `MaxThreads` of clamd',
    }),
    ALLOW_ENCRYPTED: flag({ default: false, help: 'Accept encrypted archives, which cannot be scanned' }),
  },
  rule: s3Rule,
})
