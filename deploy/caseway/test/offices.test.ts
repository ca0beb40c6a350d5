import { afterAll, describe, expect, it } from '@jest/globals'
import { createOffice, documentOf, installationWithAuth, newEmail } from './support/installation.js'

const { place, auth, stop } = await installationWithAuth()
afterAll(stop)

describe('office create', () => {
  it('creates an office whose administrator can sign in', async () => {
    const email = newEmail()
    const made = documentOf(await place.caseway(...createOffice(email), '--json'))
    expect(made).toEqual({ customer_id: expect.any(String), user_id: expect.any(String), username: email, password: expect.any(String) })
    expect(await auth.signIn(made)).toMatchObject({ status: 200 })
    expect(await place.auth.rows('SELECT name, time_zone FROM customers WHERE id = $1', [made.customer_id])).toEqual([
      { name: 'Nowak', time_zone: 'Europe/Lisbon' },
    ])
  })

  it('prints a password that must be changed before any other request', async () => {
    const made = documentOf(await place.caseway(...createOffice(newEmail()), '--json'))
    const signedIn = await auth.signIn(made)
    const { status, body } = await auth.as(signedIn).get('/user')
    expect([status, body]).toMatchObject([403, { errorCode: 'PASSWORD_EXPIRED' }])
    const sent = { User: { password: 'a password of my own', current_password: made.password } }
    expect((await auth.as(signedIn).put('/user/me', sent)).status).toBe(200)
    const again = await auth.signIn({ ...made, password: 'a password of my own' })
    expect((await auth.as(again).get('/user')).status).toBe(200)
  })

  it('prints the same as text', async () => {
    const email = newEmail()
    const { code, out, err } = await place.caseway(...createOffice(email))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, password = ''] = /Password {3}(\S+)/.exec(out) ?? []
    expect(await auth.signIn({ username: email, password })).toMatchObject({ status: 200 })
  })

  it('refuses an address that is taken, and creates no office', async () => {
    const { username } = await place.office()
    const offices = () => place.auth.rows('SELECT FROM customers')
    const before = await offices()
    expect(await place.caseway(...createOffice(username))).toEqual({ code: 1, out: '', err: 'The email is already used.' })
    expect(await offices()).toEqual(before)
  })
})

describe('the profile of an office', () => {
  const profile = ['--street', 'Długa 2', '--zip', '00-002', '--city', 'Kraków', '--voivodeship', '6', '--office-email', 'a@b.example']
  const columns = { street: 'Długa 2', zip: '00-002', city: 'Kraków', voivodeship: 6, email: 'a@b.example' }
  const officeOf = async (id: string) =>
    (await place.auth.rows('SELECT name, street, zip, city, voivodeship, phone, email, url FROM customers WHERE id = $1', [id]))[0]

  it('can be set at the creation of the office', async () => {
    const made = documentOf(await place.caseway(...createOffice(newEmail()), ...profile, '--json'))
    expect(await officeOf(made.customer_id)).toEqual({ name: 'Nowak', ...columns, phone: null, url: null })
  })

  it('is changed by the given options', async () => {
    const { customer_id } = await place.office()
    await place.caseway('office', 'change', '--office', customer_id, ...profile)
    const change = ['office', 'change', '--office', customer_id, '--phone', '+48 1', '--url', 'https://b.example', '--name', 'Kowalski']
    expect((await place.caseway(...change)).out).toBe(`Office ${customer_id} is changed.`)
    expect(await officeOf(customer_id)).toEqual({ name: 'Kowalski', ...columns, phone: '+48 1', url: 'https://b.example' })
    const trail = await place.auth.rows(
      "SELECT details, actor FROM audit_events WHERE kind = 'office.changed' AND customer_id = $1 ORDER BY id",
      [customer_id],
    )
    expect(trail.at(-1)).toEqual({ details: { fields: 'name phone url' }, actor: 'command line' })
  })

  it('is not changed without an option', async () => {
    const { customer_id } = await place.office()
    expect(await place.caseway('office', 'change', '--office', customer_id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing'),
    })
    expect(await place.caseway('office', 'change', '--office', customer_id, '--voivodeship', '17')).toMatchObject({ code: 2 })
  })

  it.each([['change', '--city', 'Kraków'], ['data'], ['delete'], ['reopen'], ['export', '--to', 'nowhere']])(
    'is reported as missing by office %s',
    async (command, ...options) => {
      const asked = await place.caseway('office', command, '--office', '999999999', ...options)
      expect(asked).toEqual({ code: 1, out: '', err: 'There is no office 999999999.' })
    },
  )
})
