import { acceptedControlCharacters, httpClient, textFieldsOf } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from './support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

it('refuses control characters in every stored text', async () => {
  const { body } = await httpClient(auth.service.httpUrl).get<Parameters<typeof textFieldsOf>[0]>('/expert/openapi.json')
  const fields = textFieldsOf(body)
  const names = fields.map(({ field }) => field)
  expect(names).toEqual(expect.arrayContaining(['email', 'firstname', 'lastname', 'phone', 'company_name', 'name', 'password']))
  const own = ['firstname', 'lastname', 'phone', 'password', 'current_password']
  const me = own.map((field) => ({ method: 'PUT', path: '/user/me', wrapper: 'User', field }))
  const { administrator } = await auth.office()
  const resources = fields.filter(({ path }) => path !== '/token')
  expect(await acceptedControlCharacters(await auth.asExpert(administrator), [...resources, ...me])).toEqual([])
})
