import { afterAll, beforeAll, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

it('a stream sends every change after its head', async () => {
  const { expert } = cases.office()
  const http = cases.asExpert(expert)
  for (let i = 0; i < 20; i++) {
    const stream = await cases.stream(expert, 'expert')
    const id = await openIssue(http)
    await stream.next(({ event, data }) => event === 'issue' && data.includes(`"id":"${id}"`))
    await stream.close()
  }
})
