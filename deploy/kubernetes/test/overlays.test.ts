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

/** What a component says in the place of an overlay. */
const saidByComponents: Record<string, readonly string[]> = { '../../components/strimzi': ['KAFKA_BROKERS'] }

describe.each(overlays)('the overlay %s', (overlay) => {
  const { components } = parse(read(overlay, 'kustomization.yaml')) as { components: string[] }

  it('has a version of every program', () => {
    const { images } = parse(read(overlay, 'versions/kustomization.yaml')) as { images: { name: string; newTag: string }[] }
    expect(images.map(({ name }) => name).sort()).toEqual([...workloads.map(({ name }) => `caseway/${name}`), 'caseway/caseway'].sort())
    expect(images.every(({ newTag }) => /^[\w.-]+$/.test(newTag))).toBe(true)
    expect(components.indexOf('../../components/versioned-jobs')).toBe(components.indexOf('versions') + 1)
  })

  it('says what nothing else can know', () => {
    const said = [...variablesIn(read(overlay, 'caseway.env')), ...components.flatMap((component) => saidByComponents[component] ?? [])]
    expect(said).toEqual(expect.arrayContaining(installationVariables))
  })

  it('names no variable that does not exist, and none that is secret', () => {
    const declared = new Map(workloads.flatMap(({ variables }) => variables.map(({ name, variable }) => [name, variable])))
    const said = globSync('*.env', { cwd: `${folder}/${overlay}` }).flatMap((file) => variablesIn(read(overlay, file)))
    expect(said.filter((name) => declared.get(name)?.secret !== false)).toEqual([])
  })
})
