import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { documents, writeDocuments } from '../checks/documents.mjs'

let project: string
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(project, file)), { recursive: true })
  await writeFile(join(project, file), text)
}
const readme = () => readFile(join(project, 'services/shop/README.md'), 'utf8')

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'documents-'))
  await write('package.json', '{ "type": "module" }')
  await write('services/shop/src/config.ts', '')
  await write('services/shop/dist/config.js', "export const config = { table: () => '| A |' }; export const other = 5")
})
afterEach(() => rm(project, { recursive: true }))

describe('a generated section of a document', () => {
  it('needs markers in the document', async () => {
    const problem = 'services/shop/README.md has no place <!-- configuration --> <!-- /configuration -->'
    expect(await documents(project)).toEqual({ problems: [problem] })
    await write('services/shop/README.md', '<!-- /configuration --> <!-- configuration -->')
    expect(await writeDocuments(project)).toEqual([problem])
  })

  it('is outdated until it is written, and the rest of the document is kept', async () => {
    await write('services/shop/README.md', '# shop\n\n<!-- configuration -->\nold\n<!-- /configuration -->\n\nafter\n')
    expect((await documents(project)).problems).toEqual([expect.stringContaining('services/shop/README.md is behind the code')])
    expect(await writeDocuments(project)).toEqual([])
    expect(await readme()).toBe('# shop\n\n<!-- configuration -->\n\n| A |\n\n<!-- /configuration -->\n\nafter\n')
    expect(await documents(project)).toEqual({ problems: [] })
  })

  it('fails without a build', async () => {
    await rm(join(project, 'services/shop/dist'), { recursive: true })
    await expect(documents(project)).rejects.toThrow('npm run build')
  })
})

describe('the table of roles', () => {
  const wiring = `export const shop = { name: 'shop', open: async () => {
    const rest = (app) => {
      app.get('/thing', async () => 1)
      app.delete('/thing/:id', { config: { roles: ['administrator'], right: 'things.manage' } }, async () => 1)
      app.post('/token', { config: { public: true } }, async () => 1)
    }
    return { routes: { expert: [rest], client: [(app) => app.get('/thing', async () => 1)] }, close: async () => undefined }
  } }`

  it('lists the wired routes of a service with their rights, without calling anything', async () => {
    await rm(join(project, 'services/shop/src/config.ts'))
    await write('services/shop/src/wiring.ts', '')
    await write('services/shop/dist/wiring.js', wiring)
    await write('docs/roles.md', '<!-- roles -->\n<!-- /roles -->\n')
    expect(await writeDocuments(project)).toEqual([])
    const lines = (await readFile(join(project, 'docs/roles.md'), 'utf8')).split('\n').filter((line) => line.startsWith('| `'))
    expect(lines).toEqual([
      '| `GET /rest/thing` | ✓ | ✓ | ✓ | ✓ | – |  |',
      '| `DELETE /rest/thing/:id` | ✓ | – | – | – | – | `things.manage` |',
      '| `POST /rest/token` | public | public | public | public | public |  |',
      '| `GET /rest/thing` | ✓ |  |',
    ])
    expect(await documents(project)).toEqual({ problems: [] })
  })
})
