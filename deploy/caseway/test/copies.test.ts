import { databaseUrlVariable, registry } from '@caseway/registry'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, installationWithAuth } from './support/installation.js'

const { place, auth, stop } = await installationWithAuth()
const office = await place.office()
afterAll(stop)
beforeEach(() => place.cases.rows('TRUNCATE users, customers, client_links, groups, common_files, common_file_objects'))

const copied = async () => ({
  users: await place.cases.rows('SELECT id::text FROM users'),
  customers: await place.cases.rows('SELECT id::text FROM customers'),
})
const all = () => ({ users: [{ id: office.user_id }], customers: [{ id: office.customer_id }] })

describe('copy resync', () => {
  it('reads all copies from auth', async () => {
    // Without the database of auth, only the running auth can answer.
    const env = { ...place.env, AUTH_DATABASE_URL: '', AUTH_GRPC_ADDRESS: auth.service.grpcAddress, GRPC_INSECURE: 'true' }
    expect(documentOf(await caseway(env, 'copy', 'resync', '--json'))).toEqual({
      copies: [
        'customers',
        'users',
        'client_links',
        'groups',
        'common_files',
        'mail_folder_counts',
        'common_file_objects',
        'senders',
        'employee_addresses',
        'office_domains',
        'provider_persons',
      ],
    })
    expect(await copied()).toEqual(all())
  })

  it("reads auth's database if no address of auth is configured", async () => {
    expect(await place.caseway('copy', 'resync')).toEqual({
      code: 0,
      out: 'Filled again: customers, users, client_links, groups, common_files, mail_folder_counts, common_file_objects, senders, employee_addresses, office_domains, provider_persons.',
      err: '',
    })
    expect(await copied()).toEqual(all())
  })

  it('reports that neither an address nor a database is configured', async () => {
    const address = databaseUrlVariable(registry.casesAndCounters.name)
    const env = { [address]: place.env[address] }
    const err = 'AUTH_GRPC_ADDRESS is missing: it must be the gRPC address of auth.'
    expect(await caseway(env, 'copy', 'resync')).toEqual({ code: 1, out: '', err })
  })

  it('reads only the named copy', async () => {
    await place.caseway('copy', 'resync', 'customers')
    expect(await copied()).toEqual({ ...all(), users: [] })
  })

  it('reports an unknown copy, with the names of all copies', async () => {
    expect(await place.caseway('copy', 'resync', 'people')).toEqual({
      code: 2,
      out: '',
      err: 'There is no copy people; the copies are customers, users, client_links, groups, common_files, mail_folder_counts, common_file_objects, senders, employee_addresses, office_domains, provider_persons.',
    })
  })

  it('reports that auth does not answer', async () => {
    const env = { ...place.env, AUTH_GRPC_ADDRESS: '127.0.0.1:1', GRPC_INSECURE: 'true' }
    expect(await caseway(env, 'copy', 'resync')).toEqual({
      code: 1,
      out: '',
      err: 'A database, service or storage that the command needs does not answer, or is full: is the platform running?',
    })
  })
})
