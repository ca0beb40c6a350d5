import { text } from '@caseway/kit/config'
import { grpcAddressVariable, memoryVariablesOf, serviceNames, services } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import { secretsOf, settingsOf } from '../src/environment.js'
import { generatedFiles } from '../src/generated.js'
import { objectsOf } from '../src/validation/validate.js'
import { callersOf, callsOf, type Workload, workloads } from '../src/workloads.js'

const gateway = workloads.find(({ name }) => name === 'gateway') as Workload
const shop: Workload = { name: 'shop', variables: [], ports: { http: 3000 }, reaches: [] }
const variable = (options: Parameters<typeof text>[0]) => text(options as { help: string })

describe('the connections', () => {
  it('of a service lead to the peers in the registry, and to the JWKS', () => {
    for (const { name, asks } of services) {
      const calls = callsOf(workloads.find((workload) => workload.name === name) as Workload).map(({ to, port }) => `${to} ${port}`)
      expect(calls.sort()).toEqual([...asks.map((peer) => `${peer} grpc`), ...(name === 'auth' ? [] : ['auth http'])].sort())
    }
  })

  it('of the gateway lead to every service, and to the sessions of auth', () => {
    const calls = callsOf(gateway).map(({ to, port }) => `${to} ${port}`)
    expect(calls.sort()).toEqual([...serviceNames.map((name) => `${name} http`), 'auth grpc'].sort())
    expect(callersOf('mail', 'http')).toEqual(['gateway'])
  })

  it('are allowed at both of their ends', () => {
    const policies = objectsOf(generatedFiles().values()).filter(({ kind }) => kind === 'NetworkPolicy')
    const specs = new Map(policies.map(({ metadata, spec }) => [metadata.name, spec as Record<string, object>]))
    const textOf = (name: string, direction: string) => JSON.stringify(specs.get(name)?.[direction])
    for (const workload of workloads) {
      for (const { to, port } of callsOf(workload)) {
        const here = `"podSelector":{"matchLabels":{"app.kubernetes.io/name":"${to}","app.kubernetes.io/component":"server"}}`
        const there = `"app.kubernetes.io/name":"${workload.name}"`
        expect(textOf(workload.name, 'egress')).toContain(here)
        expect(
          JSON.parse(textOf(to, 'ingress')).filter(
            (rule: object) => JSON.stringify(rule).includes(there) && JSON.stringify(rule).includes(`"port":"${port}"`),
          ),
        ).toHaveLength(1)
      }
    }
  })

  it('to mail servers are allowed only for services that declare them', () => {
    const of = (name: string) => generatedFiles().get(`bases/${name}/network-policies.yaml`) ?? ''
    expect(of('mail')).toContain('port: 993')
    for (const name of ['cases-and-counters', 'company-card', 'polls-and-widgets', 'gateway']) expect(of(name)).not.toMatch(/ipBlock|993/)
  })
})

describe('the environment', () => {
  it('has the addresses of the other services and the path of the certificate', () => {
    expect(settingsOf(gateway)).toMatchObject({
      AUTH_GRPC_ADDRESS: 'dns:///auth-grpc:50051',
      MAIL_URL: 'http://mail:3000',
      JWKS_URL: 'http://auth:3000/.well-known/jwks.json',
      GRPC_CA_FILE: '/run/secrets/tls/ca.crt',
    })
  })

  it('has the same memory settings as on one machine', () => {
    const options = workloads.flatMap((workload) => (settingsOf(workload).NODE_OPTIONS === undefined ? [] : [workload.name]))
    expect(options).toEqual(['polls-and-widgets', 'mail'])
    expect(settingsOf(workloads.find(({ name }) => name === 'mail') as Workload)).toMatchObject(memoryVariablesOf('mail'))
  })

  it('fails for a required variable without a value', () => {
    const forgotten = { ...shop, variables: [{ name: 'SHOP_REGION', variable: variable({ help: 'Region' }) }] }
    expect(() => settingsOf(forgotten)).toThrow('SHOP_REGION of shop is required')
  })

  it('has secret variables from Secrets only', () => {
    const declared = [
      { name: 'SHOP_KEY', variable: variable({ secret: true, help: 'Key' } as never) },
      { name: 'SHOP_OLD_KEY', variable: variable({ secret: true, optional: true, help: 'Key' } as never) },
      { name: 'TOLL', variable: variable({ secret: true, shared: true, help: 'Toll' } as never) },
      { name: 'SHOP_COLOR', variable: variable({ help: 'Color', default: 'red' } as never) },
    ]
    expect(settingsOf({ ...shop, variables: declared })).toEqual({})
    expect(secretsOf(declared, 'shop').map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef])).toEqual([
      ['SHOP_KEY', { name: 'shop', key: 'SHOP_KEY' }],
      ['SHOP_OLD_KEY', { name: 'shop', key: 'SHOP_OLD_KEY', optional: true }],
      ['TOLL', { name: 'caseway', key: 'TOLL' }],
    ])
  })

  it('addresses every gRPC service by its headless Service', () => {
    const settings = Object.assign({}, ...workloads.map(settingsOf))
    for (const { name, grpc } of services) {
      const asked = services.some(({ asks }) => asks.includes(name))
      if (grpc && asked) expect(settings[grpcAddressVariable(name)]).toBe(`dns:///${name}-grpc:50051`)
    }
  })
})
