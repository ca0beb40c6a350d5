import { createHash } from 'node:crypto'
import { sep } from 'node:path'
import swc from '@swc/jest'

/**
 * Jest's transformer for a run with one mutation: if `MUTATION` (JSON: `file`, `text`, `with`) names the file, its text is replaced before
 * compilation. No file is written, so a killed run leaves nothing behind.
 */
const mutation = process.env.MUTATION && JSON.parse(process.env.MUTATION)

const mutated = (source, path) =>
  mutation && path.split(sep).join('/').endsWith(`/${mutation.file}`) ? source.replace(mutation.text, () => mutation.with) : source

export default {
  createTransformer(settings) {
    const { process: compile, canInstrument } = swc.createTransformer(settings)
    return {
      canInstrument,
      process: (source, path, options) => compile(mutated(source, path), path, options),
      getCacheKey: (source, path, { configString, supportsStaticESM }) =>
        createHash('sha256')
          .update([mutated(source, path), path, configString, String(supportsStaticESM)].join('\0'))
          .digest('hex'),
    }
  },
}
