/**
 * `node context.mjs <workspace> <folder>` makes in the folder what the image of a service is built from: what is built of the
 * workspace and of those that it needs, and one package.json with a lockfile that names production packages and nothing else.
 *
 * `npm ci --omit=dev --workspace=…` would bring more: what the needed workspaces are developed with, and whatever happens to be in
 * the lockfile and is an optional peer of something, such as Prisma's command line.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closureOf } from '../../packages/install/closure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [workspace, folder] = process.argv.slice(2)
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Of a workspace that names no `files`, what runs. */
const usual = ['dist', 'src/front-page/page', 'migrations', 'prisma/migrations', 'descriptors.binpb']
const unneeded = /\.(?:d\.ts|map|tsbuildinfo)$/
const bundles = /dist\/bundled$/

const closure = closureOf(lock, workspace)
const workspaces = closure.filter((place) => !place.includes('node_modules/'))

for (const place of workspaces) {
  const { devDependencies, scripts, ...manifest } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
  write(join(place, 'package.json'), manifest)
  for (const part of manifest.files ?? usual) {
    const source = join(root, place, part)
    const isNeeded = (file) => !unneeded.test(file) && (place === workspace || !bundles.test(file))
    if (existsSync(source)) cpSync(source, join(folder, place, part), { recursive: true, filter: isNeeded })
  }
}
// The image of a service runs its bundle by the same command as that of the command line, which has none.
if (existsSync(join(folder, workspace, 'dist/bundled')))
  writeFileSync(join(folder, workspace, 'dist/main.js'), "import './bundled/main.js'\n")
const whole = { name: lock.name, version: lock.version, private: true, type: 'module', workspaces }
write('package.json', whole)
write('package-lock.json', { ...lock, packages: { '': whole, ...Object.fromEntries(closure.flatMap(entriesOf)) } })

/** A package, as it is in production; of a workspace also the link to it. */
function entriesOf(place) {
  const { devDependencies, dev, devOptional, peer, ...entry } = lock.packages[place]
  const link = [`node_modules/${entry.name}`, { resolved: place, link: true }]
  return workspaces.includes(place) ? [[place, entry], link] : [[place, entry]]
}

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${JSON.stringify(content, null, 2)}\n`)
}
