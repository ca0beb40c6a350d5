import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { guardedResolver } from '@caseway/kit/outbound'
import type { MailDialer } from './mail-dialer.js'

export interface DialerConfig {
  readonly outboundPrivateHosts: readonly string[]
  /** Names a PEM file of further authorities. */
  readonly caFile: string | undefined
}

/** Mail servers are named by people: their addresses are checked, and connected to as they were checked. */
export function guardedMailDialer({ outboundPrivateHosts: privateHosts, caFile }: DialerConfig): MailDialer {
  const resolve = guardedResolver({ privateHosts })
  const ca = [...getCACertificates('default'), ...(caFile === undefined ? [] : [readFileSync(caFile, 'utf8')])]
  return async ({ serverAddress, serverPort }) => {
    const { address, servername } = await resolve(serverAddress, serverPort)
    const name = servername === undefined ? {} : { servername }
    return { address, ...name, tls: { ...name, ca } }
  }
}
