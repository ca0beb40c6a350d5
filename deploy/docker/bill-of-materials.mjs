/**
 * `node bill-of-materials.mjs <workspace> <folder>` prints the bill of materials of the image that the folder is for, in CycloneDX: the packages that are installed
 * in the folder, and those that are in the bundle of the workspace, of which `npm sbom` in the image would not know.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundledIn, lockOf } from './packages-of-image.mjs'

const [workspace, image] = process.argv.slice(2)
const all = lockOf(workspace, false).packages
// Of a package with native code only what is for the processor of the image.
const installed = Object.keys(all).filter((place) => existsSync(join(image, place)))
const places = [...installed, ...bundledIn(workspace)]
/** As `npm sbom` refers to them. */
const refs = new Set(places.map((place) => `${all[place].name ?? place.split('node_modules/').at(-1)}@${all[place].version}`))

const { metadata, components, dependencies, ...bill } = billOfAll()
const inImage = ({ ref }) => refs.has(ref)
const dependsOn = (dependency) => dependency.dependsOn.filter((ref) => refs.has(ref))
const printed = {
  ...bill,
  metadata,
  components: components.filter((component) => refs.has(component['bom-ref'])),
  dependencies: dependencies.filter(inImage).map((dependency) => ({ ...dependency, dependsOn: dependsOn(dependency) })),
}
console.log(JSON.stringify(printed, null, 2))

/** Of all packages that the workspace needs, whether they are installed or not. */
function billOfAll() {
  const temporary = mkdtempSync(join(tmpdir(), 'caseway-bill-'))
  // npm takes its name for that of the application.
  const folder = join(temporary, basename(workspace))
  const write = (place, file, content) => {
    mkdirSync(join(folder, place), { recursive: true })
    writeFileSync(join(folder, place, file), JSON.stringify(content))
  }
  try {
    const lock = lockOf(workspace, false)
    write('.', 'package-lock.json', lock)
    for (const place of ['', ...lock.packages[''].workspaces]) write(place, 'package.json', lock.packages[place])
    const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
    return JSON.parse(execFileSync('npm', command, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
