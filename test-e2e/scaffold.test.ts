import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { modules } from '../packages/verify/checks/modules.mjs'
import { signInAs } from './support/people.js'
import { launch, temporaryHome } from './support/platform.js'
import { copyProject, type ProjectCopy } from './support/project-copy.js'

/** Long enough for a busy machine. */
const timeoutMs = 600_000

/** Runs `npm run new:service` or `npm run new:resource`, without the build before it. */
const generate = (...args: string[]) => project.run('plop', ['--no-progress', '--plopfile', 'packages/scaffold/plopfile.mjs', ...args])

let project: ProjectCopy

/** The files of the new service, without generated and built ones. */
const written = () =>
  globSync('**', { cwd: join(project.root, 'services/notes'), exclude: ['dist', 'src/generated', '.turbo'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(project.root, 'services/notes'), join(parentPath, name)).replace(/\d{14}/, '…'))
    .sort()

/** The files that CONTRIBUTING.md lists. */
function documented(): string[] {
  const [, section = ''] = readFileSync(join(project.root, 'CONTRIBUTING.md'), 'utf8').split('## A new service')
  return [...section.matchAll(/^\| `([^`]+[a-z])` \|/gm)].map(([, file = '']) => file).sort()
}

beforeAll(() => {
  project = copyProject()
})
afterAll(() => project?.remove())

describe('npm run new:service and npm run new:resource', () => {
  it(
    'write the 15 files that CONTRIBUTING.md lists',
    async () => {
      await generate('service', 'notes')
      await generate('resource', 'notes', 'Note')
      const files = written()
      expect(files).toHaveLength(15)
      expect(files).toEqual(documented())
      await generate('resource', 'notes', 'OfficeHour')
      expect(written()).toHaveLength(19)
    },
    timeoutMs,
  )

  it(
    'refuse a name that is taken, and write nothing',
    async () => {
      const before = written()
      await expect(generate('service', 'notes')).rejects.toThrow('@caseway/notes already exists.')
      await expect(generate('resource', 'notes', 'Note')).rejects.toThrow('/rest/note already exists, in notes.')
      expect(written()).toEqual(before)
    },
    timeoutMs,
  )
})

describe('the new service', () => {
  it(
    'has nothing that npm run verify would find',
    async () => {
      await project.run('tsc', ['-b'])
      writeFileSync(join(project.root, 'tsconfig.notes.json'), '{ "extends": "./tsconfig.tests.json", "include": ["services/notes"] }')
      await project.run('tsc', ['-p', 'tsconfig.notes.json'])
      await project.run('biome', ['check', '--error-on-warnings', 'services/notes', 'packages/registry', 'deploy/caseway'])
      await project.run('depcruise', ['--config', '.dependency-cruiser.mjs', 'services/notes'])
      await project.run('node', ['packages/verify/documents.mjs'])
      await project.run('node', ['packages/verify/manifests.mjs'])
      expect(await modules(project.root)).toEqual({ problems: [] })
      expect(globSync('deploy/kubernetes/bases/notes/*.yaml', { cwd: project.root })).toHaveLength(7)
    },
    timeoutMs,
  )

  it(
    'passes its tests',
    async () => {
      const suites = ['services/notes', 'deploy/caseway/test/registry']
      await project.run('jest', ['--coverage=false', ...suites], { NODE_OPTIONS: '--experimental-vm-modules' })
    },
    timeoutMs,
  )

  it('is started by npm start, and reached through the gateway', async () => {
    const { home, remove } = temporaryHome()
    const launcher = launch(home, {}, 'single-process', project.root)
    try {
      const { api, id } = await signInAs(await launcher.ready(), 'expert')
      for (const [path, name] of [
        ['note', 'Note'],
        ['office_hour', 'OfficeHour'],
      ] as const) {
        const created = await api.post<{ id: number }>(`/${path}`, { [name]: { title: 'First' } })
        expect(created.status).toBe(201)
        const read = await api.get(`/${path}/${created.body.id}`)
        expect(read.body).toEqual({ [name]: expect.objectContaining({ title: 'First', text: '', user_id: id }) })
      }
    } finally {
      await launcher.stop()
      remove()
    }
  })
})

describe('npm run new:resource in an existing service', () => {
  it(
    'adds a resource to its code and its tests, which pass',
    async () => {
      await generate('resource', 'cases-and-counters', 'Holiday')
      const suites = ['holidays.api', 'tenant-isolation', 'list-indexes'].map((name) => `services/cases-and-counters/test/${name}.test.ts`)
      const output = await project.run('jest', ['--coverage=false', '--verbose', ...suites], { NODE_OPTIONS: '--experimental-vm-modules' })
      expect(output).toContain('of holiday of experts, except for the declared unindexed ones')
    },
    timeoutMs,
  )

  it(
    'refuses auth, whose tests are others, and writes nothing',
    async () => {
      await expect(generate('resource', 'auth', 'Vacation')).rejects.toThrow('services/auth/test/tenant-isolation.test.ts: nothing matches')
      expect(globSync('services/auth/src/vacations', { cwd: project.root })).toEqual([])
    },
    timeoutMs,
  )
})
