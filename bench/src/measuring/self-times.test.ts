import { expect, it } from '@jest/globals'
import { selfTimesOf } from './self-times.js'

const node = (functionName: string, url: string, hitCount: number) => ({ hitCount, callFrame: { functionName, url, lineNumber: 4 } })

it('ranks functions and packages of a profile by their time', () => {
  const nodes = [
    node('(idle)', '', 50),
    node('query', 'file:///app/node_modules/pg/lib/client.js', 10),
    node('query', 'file:///app/node_modules/pg/lib/client.js', 20),
    node('', 'file:///app/packages/kit/dist/http/time.js', 10),
    node('writev', '', 10),
  ]
  expect(selfTimesOf({ nodes })).toEqual({
    busy: 50,
    packages: [
      { where: 'pg', percent: 60 },
      { where: 'kit/http', percent: 20 },
      { where: 'writev', percent: 20 },
    ],
    functions: [
      { where: 'query pg/lib/client.js:5', percent: 60 },
      { where: '(anonymous) packages/kit/dist/http/time.js:5', percent: 20 },
      { where: 'writev', percent: 20 },
    ],
  })
})
