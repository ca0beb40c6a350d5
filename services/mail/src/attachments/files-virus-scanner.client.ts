import { AppError } from '@caseway/kit/errors'
import { type Peers, peerClients } from '@caseway/kit/grpc'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { type ScanResponse, ScanServiceClient } from '@caseway/protos/files/v1/scans'
import type { ScanResult } from './attachment.js'
import type { VirusScanner } from './virus-scanner.js'

/** The size of one message of the stream, which gRPC holds in memory. */
const chunkBytes = 65_536
/** Longer than the default timeout of a scan (FILES_CLAMD_TIMEOUT_MS). */
const deadlineMs = 180_000

/** The scanner of the service files over gRPC. */
export function filesVirusScanner(peers: Peers): VirusScanner {
  const scans = peerClients(peers, 'files')(ScanServiceClient, { deadlineMs })

  return {
    scan: (bytes) =>
      scans.scan(inChunks(bytes)).then(resultOf, (error: unknown) => {
        if (error instanceof AppError && error.kind === 'too-large') return { status: 'failed', error: error.message }
        throw error
      }),
  }
}

async function* inChunks(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield { chunk: Buffer.from(bytes.subarray(at, at + chunkBytes)) }
}

/** A status that this build does not know counts as failed. */
function resultOf({ status, error }: ScanResponse): ScanResult {
  if (status === ScanStatus.OK) return { status: 'ok' }
  return { status: status === ScanStatus.INFECTED ? 'infected' : 'failed', error }
}
