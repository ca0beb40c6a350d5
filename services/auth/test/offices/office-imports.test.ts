import { randomBytes } from 'node:crypto'
import type { IdBlock } from '@caseway/kit/office-data'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const imports = () => auth.service.administration.officeImports

/** A new import for an office whose id is reserved and whose row the test writes. */
async function newImport(accounts: { employees?: string[]; clients?: { id: string; email: string }[] } = {}) {
  const [row] = await auth.database.rows<{ id: string }>("SELECT nextval(pg_get_serial_sequence('customers', 'id')) AS id")
  const customerId = BigInt(row?.id ?? 0)
  const block: IdBlock = { first: '7', last: '7', shift: String(customerId - 7n), nobody: '0' }
  const hash = Buffer.from(randomBytes(32))
  return { hash, customerId, blocks: { 'auth.customers': block, 'auth.clients': block }, employees: [], clients: [], ...accounts }
}

const writeOffice = ({ customerId }: { customerId: bigint }) =>
  auth.database.rows("INSERT INTO customers (id, name, time_zone, deletes_at) VALUES ($1, 'Moved', 'UTC', now() + interval '30 days')", [
    customerId,
  ])

describe('the import of an office', () => {
  it('is refused while an employee of another office has one of its addresses, and leaves nothing behind', async () => {
    const { expert, customerId } = await auth.office()
    const officeImport = await newImport({ employees: ['someone@else.example', expert.username.toUpperCase()] })
    const begun = imports().begin(officeImport, async () => {
      throw new Error('Nothing is written.')
    })
    const message = `Employees of another office (${customerId}) sign in with ${expert.username}: an address is one person's.`
    await expect(begun).rejects.toMatchObject({ code: 'ADDRESSES_TAKEN', message })
    expect(await imports().find(officeImport.hash)).toBeNull()
  })

  it('leaves nothing behind when its rows cannot be written', async () => {
    const officeImport = await newImport()
    const failing = imports().begin(officeImport, async () => {
      throw new Error('A row is wrong.')
    })
    await expect(failing).rejects.toThrow('A row is wrong.')
    expect(await imports().find(officeImport.hash)).toBeNull()
  })

  it('maps clients who have an account here to its id', async () => {
    const client = await auth.client(await auth.office())
    const officeImport = await newImport({
      clients: [
        { id: '3', email: client.username.toUpperCase() },
        { id: '4', email: 'new@client.example' },
      ],
    })
    const { blocks } = await imports().begin(officeImport, async () => undefined)
    expect(blocks['auth.clients']?.known).toEqual({ 3: String(client.id) })
    expect(await imports().find(officeImport.hash)).toEqual({ customerId: officeImport.customerId, blocks, isComplete: false })
  })

  it('opens the office when it is complete, and invites its people once', async () => {
    const officeImport = await newImport()
    await imports().begin(officeImport, async (begun) => void (await writeOffice(begun)))
    const { customerId, hash } = officeImport
    const [role] = await auth.database.rows<{ id: string }>(
      "INSERT INTO user_roles (customer_id, name, base_role) VALUES ($1, 'Expert', 2) RETURNING id",
      [customerId],
    )
    const add = (email: string, active: boolean) =>
      auth.database.rows(
        "INSERT INTO users (customer_id, email, firstname, lastname, user_role_id, active) VALUES ($1, $2, 'A', 'B', $3, $4)",
        [...[customerId, email, role?.id, active]],
      )
    await add(`moved.${customerId}@office.example`, true)
    await add(`gone.${customerId}@office.example`, false)

    expect(await auth.service.administration.stateOfOffice(customerId)).toMatchObject({ deletesAt: expect.any(Date) })
    await expect(auth.service.administration.reopenOffice(customerId)).rejects.toMatchObject({ code: 'IMPORT_UNFINISHED' })
    await imports().complete(hash)
    await imports().complete(hash)
    expect(await auth.service.administration.stateOfOffice(customerId)).toMatchObject({ deletesAt: null })
    expect(await imports().find(hash)).toMatchObject({ isComplete: true })
    const invited = `SELECT FROM kit.job WHERE name = 'auth.account-mail' AND payload ->> 'customerId' = $1`
    await eventually(async () => expect((await auth.database.rows(invited, [String(customerId)])).length).toBe(1))
    const kinds = await auth.database.rows('SELECT kind FROM audit_events WHERE customer_id = $1 ORDER BY id', [customerId])
    expect(kinds).toEqual([{ kind: 'office.imported' }, { kind: 'office.reopened' }])
  })
})
