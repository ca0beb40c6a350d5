import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import rules from '../../../.dependency-cruiser.mjs'
import { boundaries } from '../checks/boundaries.mjs'

/** A small project without violations: its files with their imports. */
const goodOrder: Record<string, string[]> = {
  'services/shop/src/wiring.ts': [
    './goods/good.repository.js',
    './goods/good.service.js',
    './goods/good.routes.js',
    './generated/client.js',
    '@caseway/people',
  ],
  'services/shop/src/generated/client.ts': ['@prisma/client/runtime/client'],
  'services/shop/src/goods/good.ts': ['@caseway/kit/caller', '@caseway/kit/errors'],
  'services/shop/src/goods/good.service.ts': ['./good.js', './good.repository.js', '../carts/cart.service.js', '../carts/cart.js'],
  'services/shop/src/goods/good.repository.ts': ['../generated/client.js', './good.js', '@caseway/kit/database', '@caseway/kit/events'],
  'services/shop/src/goods/good.resource.ts': ['@caseway/kit/http'],
  'services/shop/src/goods/good.routes.ts': ['./good.resource.js', './good.service.js', '@caseway/kit/http', 'fastify'],
  'services/shop/src/goods/smtp.client.ts': ['nodemailer'],
  'services/shop/src/goods/good.test.ts': ['./good.js', '@caseway/testing'],
  'services/shop/src/carts/cart.ts': [],
  'services/shop/src/carts/cart.service.ts': ['./cart.js'],
  'services/shop/src/carts/cart.repository.ts': ['./cart.js'],
  'services/shop/test/goods.api.test.ts': ['../src/wiring.js', '@caseway/testing', 'pg'],
  'services/bank/src/wiring.ts': [],
  'gateway/src/main.ts': ['@caseway/kit/http'],
  'packages/kit/src/http/index.ts': ['../errors/index.js', './server/envelope.js'],
  'packages/kit/src/http/server/envelope.ts': [],
  'packages/kit/src/errors/index.ts': [],
  'packages/people/src/index.ts': ['./users.js'],
  'packages/people/src/users.ts': ['@caseway/kit/errors'],
  'packages/kit/src/events/kafka-transport.ts': ['kafkajs'],
  'deploy/local/src/start.ts': ['@caseway/shop/service'],
}

/** For each rule, an import that violates it. */
const violations: [rule: string, file: string, imported: string][] = [
  ['no-cycles', 'services/shop/src/carts/cart.ts', '../goods/good.cycle.js'],
  ['services-share-nothing', 'services/shop/src/goods/good.service.ts', '../../../bank/src/wiring.js'],
  ['services-share-nothing', 'services/shop/src/goods/good.service.ts', '@caseway/bank/accounts'],
  ['services-share-nothing', 'services/shop/src/wiring.ts', '../../../gateway/src/main.js'],
  ['packages-know-no-service', 'packages/kit/src/errors/index.ts', '../../../../services/shop/src/goods/good.js'],
  ['packages-know-no-service', 'packages/kit/src/errors/index.ts', '@caseway/shop/errors'],
  ['packages-know-no-service', 'packages/kit/src/errors/index.ts', '../../../people/src/users.js'],
  ['packages-know-no-service', 'packages/people/src/users.ts', '../../../services/shop/src/goods/good.js'],
  ['gateway-knows-no-service', 'gateway/src/main.ts', '@caseway/people'],
  ['gateway-knows-no-service', 'gateway/src/main.ts', '../../services/shop/src/goods/good.js'],
  ['gateway-knows-no-service', 'gateway/src/main.ts', '@caseway/shop/service'],
  ['rules-know-no-transport', 'services/shop/src/goods/good.service.ts', 'fastify'],
  ['rules-know-no-transport', 'services/shop/src/goods/good.service.ts', '@grpc/grpc-js'],
  ['rules-know-no-transport', 'services/shop/src/goods/good.ts', 'kysely'],
  ['rules-know-no-transport', 'services/shop/src/goods/good.service.ts', '../generated/client.js'],
  ['rules-take-types-only-of-the-machinery', 'services/shop/src/goods/good.service.ts', '@caseway/kit/http'],
  ['rules-take-types-only-of-the-machinery', 'services/shop/src/goods/good.ts', '@caseway/kit/database'],
  ['pure-files-stay-pure', 'services/shop/src/goods/good.ts', './good.repository.js'],
  ['pure-files-stay-pure', 'services/shop/src/goods/good.ts', 'node:fs'],
  ['only-repositories-touch-prisma', 'services/shop/src/goods/good.resource.ts', '../generated/client.js'],
  ['only-repositories-touch-prisma', 'gateway/src/main.ts', '@prisma/client'],
  ['only-clients-touch-the-mail-libraries', 'services/shop/src/goods/good.repository.ts', 'nodemailer'],
  ['only-clients-touch-the-mail-libraries', 'packages/kit/src/http/server/envelope.ts', 'imapflow'],
  ['only-the-kit-touches-kafkajs', 'services/shop/src/wiring.ts', 'kafkajs'],
  ['edges-do-not-touch-storage', 'services/shop/src/goods/good.routes.ts', './good.repository.js'],
  ['edges-do-not-touch-storage', 'services/shop/src/goods/good.routes.ts', '@caseway/kit/database'],
  ['edges-do-not-touch-storage', 'services/shop/src/goods/good.routes.ts', 'pg'],
  ['nothing-below-a-service-knows-it', 'services/shop/src/carts/cart.repository.ts', './cart.service.js'],
  ['modules-have-one-entry', 'services/shop/src/goods/good.service.ts', '../carts/cart.repository.js'],
  ['parts-of-the-kit-have-one-entry', 'packages/kit/src/errors/index.ts', '../http/server/envelope.js'],
  ['no-tests-in-production', 'services/shop/src/goods/good.service.ts', './good.test.js'],
  ['no-tests-in-production', 'gateway/src/main.ts', '@caseway/testing'],
  ['no-tests-in-production', 'packages/kit/src/http/server/envelope.ts', '@jest/globals'],
]

const source = (imports: readonly string[]) =>
  imports.map((name, index) => `import * as i${index} from '${name}'\nexport { i${index} }`).join('\n')

let project: string
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(project, file)), { recursive: true })
  await writeFile(join(project, file), text)
}
const problems = async (): Promise<string[]> => (await boundaries(project)).problems

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'boundaries-'))
  await write('package.json', '{ "name": "project", "type": "module" }')
  for (const [file, imports] of Object.entries(goodOrder)) await write(file, source(imports))
})
afterEach(() => rm(project, { recursive: true }))

describe('the boundaries', () => {
  it('accept a project without violations', async () => {
    expect(await problems()).toEqual([])
  })

  it('are all tested here', () => {
    const tried = new Set(violations.map(([rule]) => rule))
    expect(rules.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual(['packages-are-declared'])
  })

  it('report each violation', async () => {
    await write('services/shop/src/goods/good.cycle.ts', source(['../carts/cart.js']))
    for (const file of new Set(violations.map(([, file]) => file))) {
      const added = violations.filter(([, at]) => at === file).map(([, , imported]) => imported)
      await write(file, source([...(goodOrder[file] ?? []), ...added]))
    }
    const found = await problems()
    const missed = violations.filter(([rule, file, imported]) => {
      const target = imported.replace(/^(node:|(\.\.?\/)+)|\.js$/g, '')
      return !found.some((problem) => problem.startsWith(`${rule}: ${file} → `) && problem.replace(/ \(.*/, '').includes(target))
    })
    expect(missed).toEqual([])
  })

  it('report a cycle of types', async () => {
    await write('packages/kit/src/errors/index.ts', "import type { Envelope } from '../http/index.js'\nexport type Sent = Envelope\n")
    expect(await problems()).toEqual(expect.arrayContaining([expect.stringMatching(/^no-cycles: packages\/kit\/src\/errors\/index.ts → /)]))
  })

  it('require that an imported package is declared', async () => {
    await write('node_modules/left-pad/package.json', '{ "name": "left-pad", "main": "index.js" }')
    await write('node_modules/left-pad/index.js', '')
    await write('gateway/src/main.ts', source(['left-pad']))
    expect(await problems()).toEqual([
      expect.stringContaining('packages-are-declared: gateway/src/main.ts → node_modules/left-pad/index.js'),
    ])
  })

  it('allow rules to import types of the kit', async () => {
    await write('packages/kit/package.json', '{ "name": "@caseway/kit", "exports": { "./*": "./dist/*/index.js" } }')
    await write('packages/kit/dist/http/index.js', '')
    await write('services/shop/package.json', '{ "name": "@caseway/shop", "dependencies": { "@caseway/kit": "1" } }')
    await mkdir(join(project, 'node_modules/@caseway'), { recursive: true })
    await symlink('../../packages/kit', join(project, 'node_modules/@caseway/kit'))
    await write('services/shop/src/goods/good.service.ts', "import type { Page } from '@caseway/kit/http'\nexport type { Page }")
    await write('services/shop/src/carts/cart.service.ts', "import { page } from '@caseway/kit/http'\nexport { page }")
    const found = (await problems()).filter((problem) => problem.startsWith('rules-take-types-only'))
    expect(found).toEqual([expect.stringContaining('services/shop/src/carts/cart.service.ts → packages/kit/dist/http/index.js')])
  })
})
