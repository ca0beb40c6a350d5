/**
 * `node bill-of-materials.mjs <workspace> <folder>` prints the bill of materials (CycloneDX) of the image that is built from the folder: the
 * installed packages, and those in the bundle of the workspace, which `npm sbom` in the image would miss.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundledIn, lockOf } from './packages-of-image.mjs'

const [workspace, image] = process.argv.slice(2)
const all = lockOf(workspace, false).packages
// Of native packages only the build for the image's processor is installed.
const installed = Object.keys(all).filter((place) => existsSync(join(image, place)))
const places = [...installed, ...bundledIn(workspace)]
/** References as `npm sbom` writes them. */
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

/** The bill of all packages that the workspace needs, installed or not. */
function billOfAll() {
  const temporary = mkdtempSync(join(tmpdir(), 'caseway-bill-'))
  // npm uses the name of the folder as the name of the application.
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
