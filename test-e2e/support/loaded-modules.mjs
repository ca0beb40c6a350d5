import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded into a process (`--import`), it notes in the file that `LOADED_MODULES` names each module of OpenTelemetry that is loaded. */
registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/(@opentelemetry\/[^/]+)\//.exec(url) ?? []
    if (name) appendFileSync(process.env.LOADED_MODULES, `${name}\n`)
    return next(url, context)
  },
})
