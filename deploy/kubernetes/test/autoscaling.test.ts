import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { generatedFiles } from '../src/generated.js'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

interface Patches {
  readonly patches: readonly { readonly target: { readonly name: string }; readonly patch: string }[]
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly record?: string; readonly expr: string }[] }[]
}
interface External {
  readonly value: { readonly external: { readonly metric: { readonly name: string; readonly selector: { readonly matchLabels: object } } } }
}

const { patches } = parse(generatedFiles().get('components/external-metrics/kustomization.yaml') ?? '') as Patches
const metricsOf = (name: string) =>
  patches
    .filter(({ target }) => target.name === name)
    .flatMap(({ patch }) => (JSON.parse(patch) as External[]).map(({ value }) => value.external.metric))
const recorded = new Map(
  (parse(read('../observability/alerts.yml')) as Rules).groups.flatMap(({ rules }) =>
    rules.flatMap(({ record, expr }) => (record ? [[record, expr] as const] : [])),
  ),
)

describe('the scaling metrics', () => {
  it('are the consumer lag of each service, and for mail the number of its mailboxes', () => {
    for (const { target } of patches) {
      expect(metricsOf(target.name)[0]).toEqual({ name: 'consumer_lag_events', selector: { matchLabels: { service: target.name } } })
      expect(metricsOf(target.name)).toHaveLength(target.name === 'mail' ? 2 : 1)
    }
    expect(metricsOf('mail')[1]).toEqual({ name: 'state:mail_mailboxes:max', selector: { matchLabels: { state: 'active' } } })
  })

  it('aggregate the series of all copies to one', () => {
    expect(recorded.get('state:mail_mailboxes:max')).toBe('max by (namespace, service, state) (mail_mailboxes)')
    const generated = generatedFiles().get('components/service-monitor/monitoring.yaml') ?? ''
    expect(generated).toContain('record: state:mail_mailboxes:max')
    expect(read('README.md')).toContain('consumer_lag_events|state:mail_mailboxes:max')
  })

  it('are used only together with the recording rules', () => {
    for (const overlay of globSync('*', { cwd: new URL('../overlays', import.meta.url) })) {
      const { components } = parse(read(`overlays/${overlay}/kustomization.yaml`)) as { components: string[] }
      const has = (name: string) => components.includes(`../../components/${name}`)
      expect(has('external-metrics') && !has('service-monitor')).toBe(false)
    }
  })
})
