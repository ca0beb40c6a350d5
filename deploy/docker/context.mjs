/**
 * `node context.mjs <workspace> <folder>` makes in the folder what the image of a service is built from: what is built of the
 * workspace and of those that it needs, and one package.json with a lockfile that names production packages and nothing else.
 *
 * `npm ci --omit=dev --workspace=…` would bring more: what the needed workspaces are developed with, whatever happens to be in
 * the lockfile and is an optional peer of something, such as Prisma's command line, and the packages that are in the bundle already.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockOf, root } from './packages-of-image.mjs'

const [workspace, folder] = process.argv.slice(2)
const lock = lockOf(workspace)
const whole = lock.packages['']

/** Of a workspace that names no `files`, what runs. */
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
// The image of a service runs its bundle by the same command as that of the command line, which has none.
if (existsSync(join(folder, workspace, 'dist/bundled')))
  writeFileSync(join(folder, workspace, 'dist/main.js'), "import './bundled/main.js'\n")
write('package.json', whole)
write('package-lock.json', lock)

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${JSON.stringify(content, null, 2)}\n`)
}
