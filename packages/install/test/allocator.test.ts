import { readFileSync } from 'node:fs'
import { allocatorVariables } from '@caseway/install/allocator.mjs'
import { expect, it } from '@jest/globals'

const dockerfile = readFileSync(new URL('../../../deploy/docker/Dockerfile', import.meta.url), 'utf8')

it.each(Object.entries(allocatorVariables()))('images set %s as local processes have it', (name, value) => {
  expect(dockerfile).toMatch(new RegExp(`^ENV .*\\b${name}=${value}( |$)`, 'm'))
})

it('images set the size of the new space of V8, because the default for their memory limit is too small', () => {
  expect(dockerfile).toMatch(/^ENV .*\bNODE_OPTIONS=--max-semi-space-size=16( |$)/m)
})
