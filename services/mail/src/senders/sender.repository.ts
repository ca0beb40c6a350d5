import { createHash } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { domainOf } from './office-domain.js'
import { addressKey, type KnownSender } from './sender.js'

/** The hash under which addresses of employees are stored, so that one office does not learn who works at another. */
export const addressHash = (address: string): Buffer => createHash('sha256').update(addressKey(address)).digest()

interface Query {
  readonly customerId: Id
  readonly addresses: readonly string[]
}

const known = prepared(
  (param: ParamOf<Query>) => sql<KnownSender & { address: string }>`
    SELECT address, kind, client_id AS "clientId" FROM senders
    WHERE customer_id = ${param(({ customerId }) => customerId)} AND address = ANY (${param(({ addresses }) => addresses)}::text[]) AND known`,
)

const employees = prepared(
  (param: ParamOf<readonly Buffer[]>) =>
    sql<{
      hash: Uint8Array
    }>`SELECT DISTINCT hash FROM employee_addresses WHERE hash = ANY (${param((hashes) => hashes)}::bytea[]) AND known`,
)

const offices = prepared(
  (param: ParamOf<readonly string[]>) =>
    sql<{
      domain: string
    }>`SELECT DISTINCT domain FROM office_domains WHERE domain = ANY (${param((domains) => domains)}::text[]) AND domain <> ''`,
)

/** Looks up senders by their addresses. */
export const senderRepository = (db: Db) => ({
  async find(customerId: Id, addresses: readonly string[]): Promise<ReadonlyMap<string, readonly KnownSender[]>> {
    const [rows, hashes, domains] = await Promise.all([
      db.query(office(customerId), known({ customerId, addresses })),
      db.query(platform, employees(addresses.map(addressHash))),
      db.query(platform, offices([...new Set(addresses.map(domainOf))])),
    ])
    const working = new Set(hashes.map(({ hash }) => Buffer.from(hash).toString('hex')))
    const ofOffices = new Set(domains.map(({ domain }) => domain))
    const isOffice = (address: string) => working.has(addressHash(address).toString('hex')) || ofOffices.has(domainOf(address))
    const knownBy = (address: string): KnownSender[] => [
      ...rows.filter((row) => row.address === address).map(({ kind, clientId }) => ({ kind, clientId })),
      ...(isOffice(address) ? [{ kind: 'office' as const, clientId: null }] : []),
    ]
    return new Map(addresses.map((address) => [address, knownBy(address)]))
  },
})
