import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { manifests, writeManifests } from '../checks/manifests.mjs'

const mark = '# Written by npm run manifests'
const declared = { 'bases/shop/deployment.yaml': `${mark}\nkind: Deployment\n`, 'bases/kustomization.yaml': `${mark}\nresources: [shop]\n` }

let project: string
const write = async (file: string, text: string) => {
  const path = join(project, 'deploy/kubernetes', file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
const read = (file: string) => readFile(join(project, 'deploy/kubernetes', file), 'utf8')

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'manifests-'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await write('dist/generated.js', `export const generatedFiles = () => new Map(Object.entries(${JSON.stringify(declared)}))`)
})
afterEach(() => rm(project, { recursive: true }))

describe('the generated manifests', () => {
  it('are missing until they are written, and then match the declarations', async () => {
    const problem = (file: string) => `deploy/kubernetes/${file} is missing: npm run manifests`
    expect(await manifests(project)).toEqual({ problems: Object.keys(declared).map(problem) })
    await writeManifests(project)
    expect(await manifests(project)).toEqual({ problems: [] })
    expect(await read('bases/shop/deployment.yaml')).toBe(declared['bases/shop/deployment.yaml'])
  })

  it('are outdated when one was edited', async () => {
    await writeManifests(project)
    await write('bases/shop/deployment.yaml', `${mark}\nkind: Pod\n`)
    expect(await manifests(project)).toEqual({
      problems: ['deploy/kubernetes/bases/shop/deployment.yaml is behind the code: npm run manifests'],
    })
  })

  it('contain no file that is not declared any more, and leave hand-written files alone', async () => {
    await writeManifests(project)
    await write('bases/gone/deployment.yaml', `${mark}\nkind: Deployment\n`)
    await write('components/own/kustomization.yaml', 'kind: Component\n')
    const problem = 'deploy/kubernetes/bases/gone/deployment.yaml follows from nothing that is declared: npm run manifests'
    expect(await manifests(project)).toEqual({ problems: [problem] })
    await writeManifests(project)
    expect(await manifests(project)).toEqual({ problems: [] })
    expect(await read('components/own/kustomization.yaml')).toBe('kind: Component\n')
  })

  it('fail without a build', async () => {
    await rm(join(project, 'deploy/kubernetes/dist'), { recursive: true })
    await expect(manifests(project)).rejects.toThrow('npm run build')
  })
})
