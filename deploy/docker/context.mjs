/**
 * `node context.mjs <workspace> <folder>` writes the build context of an image into the folder: the build output of the workspace and of those that
 * it depends on, and a package.json with a lockfile of production packages only.
 *
 * `npm ci --omit=dev --workspace=…` would install more: development dependencies of the needed workspaces, optional peers that happen to be in the
 * lockfile, such as Prisma's command line, and the bundled packages.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockOf, root } from './packages-of-image.mjs'

const [workspace, folder] = process.argv.slice(2)
const lock = lockOf(workspace)
const whole = lock.packages['']

/** The files of a workspace whose package.json has no `files`. */
const usual = ['dist', 'src/front-page/page', 'migrations', 'prisma/migrations', 'descriptors.binpb']
const unneeded = /\.(?:d\.ts|map|tsbuildinfo)$/
const bundles = /dist\/bundled$/

for (const place of whole.workspaces) {
  const { devDependencies, scripts, ...manifest } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
  write(join(place, 'package.json'), { ...manifest, dependencies: lock.packages[place].dependencies })
  for (const part of manifest.files ?? usual) {
    const source = join(root, place, part)
    const isNeeded = (file) => !unneeded.test(file) && (place === workspace || !bundles.test(file))
    if (existsSync(source)) cpSync(source, join(folder, place, part), { recursive: true, filter: isNeeded })
  }
}
// All images start `dist/main.js`. That of a service loads its bundle; the command line has none.
if (existsSync(join(folder, workspace, 'dist/bundled')))
  writeFileSync(join(folder, workspace, 'dist/main.js'), "import './bundled/main.js'\n")
write('package.json', whole)
write('package-lock.json', lock)

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${JSON.stringify(content, null, 2)}\n`)
}
