import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../verify/run.mjs'
import { all, append, importNames, replace } from './edits.mjs'

const registry = 'packages/registry/src/services.ts'

/** The files with the image versions of each overlay for Kubernetes. */
const versions = () => globSync('deploy/kubernetes/overlays/*/versions/kustomization.yaml', { cwd: root })

/** The edits that make a service known to the rest of the project: the registry, and everything that runs an installation. */
export const editsForService = ({ service, definition }) => ({
  [registry]: replace(
    /\n(?=\} as const satisfies)/,
    `
  ${definition}: {
    name: '${service}',
    prefixes: {
      expert: [],
      client: [],
    },
    grpc: false,
    asks: [],
    secrets: [],
  },
`,
  ),
  'deploy/caseway/src/definitions.ts': all(
    importNames(`@caseway/${service}/wiring`, definition),
    replace(/(?<=definitions = \[[^\]]*)(?=\])/, `, ${definition}`),
  ),
  'deploy/caseway/package.json': replace(/(?=\n {4}"@caseway\/protos")/, `\n    "@caseway/${service}": "0.1.0",`),
  'deploy/caseway/tsconfig.json': replace(/(?<="references": \[[^\]]*\})(?=\s*\])/, `,\n    { "path": "../../services/${service}" }`),
  ...Object.fromEntries(
    versions().map((file) => [
      file,
      append(`  - { name: caseway/${service}, newName: registry.example/caseway/${service}, newTag: 1.0.0 }\n`),
    ]),
  ),
  'deploy/observability/prometheus.yml': replace(/(?<=targets:\s*\[[^\]]*)(?=\])/, `, ${service}:9464`),
})

/** The edits that make a resource known to its service and the gateway. */
export const editsForResource = ({ service, name, Name, file, module, path, table }, model) => ({
  [registry]: replace(new RegExp(`(?<=name: '${service}',\\s+prefixes: \\{\\s+expert: \\[)`), `'${path}', `),
  [`services/${service}/README.md`]: replace(/## Owns\n(?:(?!\n## )[\s\S])*?\n(?:\|.*\n)+/, `$&| \`${module}/\` | What it keeps |\n`),
  [`services/${service}/prisma/schema.prisma`]: append(model),
  [`services/${service}/src/tables.ts`]: all(
    importNames('@caseway/kit/tables', 'foreignIds', 'officeRows', 'versioned', 'written'),
    replace(
      /(?<=tables: Tables = \{)/,
      `\n  ${table}: [officeRows(), versioned(), written(['title', 'text']), foreignIds({ user_id: 'auth.users' })],`,
    ),
  ),
  [`services/${service}/src/wiring.ts`]: all(
    importNames('@caseway/kit/http', 'resourceRoutes'),
    importNames(`./${module}/${file}.repository.js`, `${name}Repository`),
    importNames(`./${module}/${file}.resource.js`, `${name}Resource`),
    (text) => text.replace(/(?<=wire\(\{ )(?![^}]*\bdb\b)/, 'db, '),
    replace(/(?<=expert: \[)/, `resourceRoutes(${name}Resource, ${name}Repository(db)), `),
  ),
  ...editsOfSuites(service, {
    itIsolatesTenants: replace(
      /(?<= here = [\s\S]*)(?=\}\)\nafterAll\(\(\) => (\w+)\.stop)/,
      `  await $1.asExpert(here.expert).post('/${path}', { ${Name}: { title: 'Here' } })\n`,
    ),
  }),
})

/** The edits of the test files of a service that call these suites; one file may call several. */
function editsOfSuites(service, editsBySuite) {
  const files = globSync(`services/${service}/test/*.test.ts`, { cwd: root })
  const edits = {}
  for (const [suite, edit] of Object.entries(editsBySuite)) {
    const file = files.find((file) => readFileSync(join(root, file), 'utf8').includes(`\n${suite}(`))
    if (!file) throw new Error(`No test of ${service} calls ${suite}.`)
    edits[file] = edits[file] ? all(edits[file], edit) : edit
  }
  return edits
}
