import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { root } from '../run.mjs'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const linesOf = (path: string) => read(path).split('\n').length - 1

it('CONTRIBUTING.md counts the lines of Tag', () => {
  const text = read('CONTRIBUTING.md')
  const counted = [...text.matchAll(/^\| `(tags\/tag\.[a-z]+\.ts)` \| (\d+) \|/gm)].map(([, file, lines]) => [file, Number(lines)] as const)
  expect(counted).toEqual(counted.map(([file]) => [file, linesOf(`services/cases-and-counters/src/${file}`)]))
  const sum = counted.reduce((lines, [, own]) => lines + own, 0)
  expect([counted.length, text.includes(`\`Tag\` has ${sum} lines in its three files`)]).toEqual([3, true])
})
