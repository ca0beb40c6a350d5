import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { installationVariables } from '../src/environment.js'
import { workloads } from '../src/workloads.js'

const folder = fileURLToPath(new URL('../overlays', import.meta.url))
const overlays = globSync('*', { cwd: folder })
const read = (overlay: string, file: string) => readFileSync(`${folder}/${overlay}/${file}`, 'utf8')
const variablesIn = (text: string) => [...text.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

/** Variables that a component sets, so that the overlay need not. */
const variablesOfComponents: Record<string, readonly string[]> = { '../../components/strimzi': ['KAFKA_BROKERS'] }

interface Kustomization {
  readonly components: readonly string[]
  readonly configMapGenerator: readonly { readonly name: string; readonly behavior: string; readonly envs: readonly string[] }[]
  readonly patches: readonly { readonly target: { readonly kind: string }; readonly patch: string }[]
}

describe.each(overlays)('the overlay %s', (overlay) => {
  const { components, configMapGenerator, patches } = parse(read(overlay, 'kustomization.yaml')) as Kustomization

  it('has a version of every program', () => {
    const { images } = parse(read(overlay, 'versions/kustomization.yaml')) as { images: { name: string; newTag: string }[] }
    expect(images.map(({ name }) => name).sort()).toEqual([...workloads.map(({ name }) => `caseway/${name}`), 'caseway/caseway'].sort())
    expect(images.every(({ newTag }) => /^[\w.-]+$/.test(newTag))).toBe(true)
    expect(components.indexOf('../../components/versioned-jobs')).toBe(components.indexOf('versions') + 1)
  })

  it('sets the variables that depend on the cluster', () => {
    const names = [
      ...variablesIn(read(overlay, 'caseway.env')),
      ...components.flatMap((component) => variablesOfComponents[component] ?? []),
    ]
    expect(names).toEqual(expect.arrayContaining(installationVariables))
  })

  it('sets no unknown and no secret variable', () => {
    const declared = new Map(workloads.flatMap(({ variables }) => variables.map(({ name, variable }) => [name, variable])))
    const names = globSync('*.env', { cwd: `${folder}/${overlay}` }).flatMap((file) => variablesIn(read(overlay, file)))
    expect(names.filter((name) => declared.get(name)?.secret !== false)).toEqual([])
  })

  it('passes each program the settings in the file of its name', () => {
    const files = globSync('*.env', { cwd: `${folder}/${overlay}` }).sort()
    expect(files).toEqual(expect.arrayContaining(['auth.env', 'caseway.env']))
    const given = files.map((file) => ({ name: file.replace('.env', ''), behavior: 'merge', envs: [file] }))
    expect([...configMapGenerator].sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual(given)
  })

  it('sets the sender of the mails about accounts', () => {
    expect(variablesIn(read(overlay, 'auth.env'))).toContain('AUTH_MAIL_FROM')
  })

  it('sets class, TLS Secret and hosts of the Ingress', () => {
    const patch = patches.find(({ target }) => target.kind === 'Ingress')?.patch ?? ''
    const operations = parse(patch) as { path: string; value: unknown }[]
    const values = Object.fromEntries(operations.map(({ path, value }) => [path, value]))
    const host = (variable: string) => new URL(new RegExp(`^${variable}=(.*)$`, 'm').exec(read(overlay, 'caseway.env'))?.[1] ?? '').host
    const hosts = [host('EXPERT_URL'), host('CLIENT_URL')]
    expect(values).toEqual({
      '/spec/ingressClassName': 'nginx',
      '/spec/tls/0': { hosts, secretName: 'caseway-public-tls' },
      '/spec/rules/0/host': hosts[0],
      '/spec/rules/1/host': hosts[1],
    })
  })
})
