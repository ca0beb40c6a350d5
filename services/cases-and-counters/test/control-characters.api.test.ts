import { acceptedControlCharacters, httpClient, textFieldsOf } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from './support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const fieldsOf = async (address: 'expert' | 'client') =>
  textFieldsOf((await httpClient(cases.service.httpUrl).get<Parameters<typeof textFieldsOf>[0]>(`/${address}/openapi.json`)).body)

it('refuses control characters in every text that employees send', async () => {
  const fields = await fieldsOf('expert')
  expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(['name', 'subject']))
  expect(await acceptedControlCharacters(cases.asExpert(cases.office().administrator), fields)).toEqual([])
})

it('refuses control characters in every text that clients send', async () => {
  const fields = await fieldsOf('client')
  expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(['subject']))
  expect(await acceptedControlCharacters(cases.asClient(cases.client(cases.office())), fields)).toEqual([])
})
