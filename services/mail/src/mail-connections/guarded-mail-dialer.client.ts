import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { guardedResolver } from '@caseway/kit/outbound'
import type { MailDialer } from './mail-dialer.js'

export interface DialerConfig {
  readonly outboundPrivateHosts: readonly string[]
  /** The path of a PEM file with further certificate authorities. */
  readonly caFile: string | undefined
}

/** Users name the mail servers: the address of a host is checked, and the connection goes to the checked address. */
export function guardedMailDialer({ outboundPrivateHosts: privateHosts, caFile }: DialerConfig): MailDialer {
  const resolve = guardedResolver({ privateHosts })
  const ca = [...getCACertificates('default'), ...(caFile === undefined ? [] : [readFileSync(caFile, 'utf8')])]
  return async ({ serverAddress, serverPort }) => {
    const { address, servername } = await resolve(serverAddress, serverPort)
    const name = servername === undefined ? {} : { servername }
    return { address, ...name, tls: { ...name, ca } }
  }
}
