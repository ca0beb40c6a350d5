import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const run = promisify(execFile)

/** How many full collections a process makes that reads 2 GB, beside a heap like that of a service. */
async function collections(prepare: string): Promise<number> {
  const script = `
    ${prepare}
    const { PerformanceObserver, constants } = await import('node:perf_hooks')
    const { setImmediate: turn } = await import('node:timers/promises')
    const held = Array.from({ length: 300_000 }, (_, i) => ({ i, name: 'name ' + i }))
    let count = 0
    const note = (list) => { for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) count++ }
    new PerformanceObserver(note).observe({ entryTypes: ['gc'] })
    for (let read = 0; read < 32_000; read++) { Buffer.allocUnsafeSlow(65_536); if (read % 16 === 0) await turn() }
    await new Promise((resolve) => setTimeout(resolve, 50))
    console.log(held.length && count)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  return Number(stdout)
}

it('a process that reads much collects its whole heap less often', async () => {
  const module = JSON.stringify(new URL('../../dist/process/buffer-collection.js', import.meta.url).href)
  const usual = await collections('')
  const less = await collections(`(await import(${module})).collectBuffersWithHeap()`)
  expect(less).toBeLessThan(usual / 2)
})
