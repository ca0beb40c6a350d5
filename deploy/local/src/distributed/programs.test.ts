import { memoryVariablesOf, services } from '@caseway/registry'
import { expect, it } from '@jest/globals'
import { type ProgramOptions, programsOf } from './programs.js'

const files = { certFile: 'cert.pem', keyFile: 'key.pem', caFile: 'ca.pem' }
const names = [...services.map(({ name }) => name), 'gateway']

const programOptions = {
  ...{ copies: 1, events: { brokers: ['127.0.0.1:9092'], security: {} }, databases: {}, secrets: {}, home: '/home', settings: {} },
  certificates: Object.fromEntries(names.map((name) => [name, files])),
  ...{ ports: { http: 1, clientHttp: 2, metrics: 3 }, freePort: async () => 4, logFileOf: (name: string) => name, logLevel: 'info' },
} as unknown as ProgramOptions

it('services with memory settings in the registry get them, and the others those of Node', async () => {
  const programs = (await programsOf(programOptions)).flat()
  const options = programs.map(({ name, env }) => [name, env.NODE_OPTIONS])
  expect(options).toEqual(names.map((name) => [`${name}-1`, memoryVariablesOf(name).NODE_OPTIONS]))
  expect(programs.find(({ name }) => name === 'mail-1')?.env).toMatchObject(memoryVariablesOf('mail'))
  expect(memoryVariablesOf('mail').NODE_OPTIONS).toBeDefined()
})
