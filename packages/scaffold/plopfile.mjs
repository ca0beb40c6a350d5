/** The generators of `npm run new:service` and `npm run new:resource` (https://plopjs.com). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../verify/run.mjs'
import { prepareEdits } from './edits.mjs'
import { resourceNames, serviceNames, wrongResource, wrongService, wrongServiceOf } from './names.mjs'
import { editsForResource, editsForService } from './shared-files.mjs'
import { build, format, installWorkspace, versionOf, writeDocuments, writeManifests } from './steps.mjs'
import { writeMigration } from './write-migration.mjs'

/** The message of a prompt. @throws Error without a terminal; the name must then be an argument of the command */
const asking = (message, command) => () => {
  if (!process.stdin.isTTY) throw new Error(`Nobody can be asked for a name here: say ${command}`)
  return message
}

const newService = 'npm run new:service -- <name>'
const newResource = 'npm run new:resource -- <service> <Name>'

const model = readFileSync(new URL('templates/model.prisma.hbs', import.meta.url), 'utf8')

export default function scaffold(plop) {
  plop.setHelper('version', versionOf)

  const addFiles = (templates) => ({
    type: 'addMany',
    destination: join(root, 'services/{{service}}'),
    base: `templates/${templates}`,
    templateFiles: `templates/${templates}/**`,
  })

  plop.setGenerator('service', {
    description: 'A service without resources',
    prompts: [{ type: 'input', name: 'service', message: asking('Name, as company-card:', newService), validate: wrongService }],
    actions(answers) {
      const names = Object.assign(answers, serviceNames(answers.service))
      const writeEdits = prepareEdits(editsForService(names))
      return [
        addFiles('service'),
        writeEdits,
        () => format(names),
        () => installWorkspace(names),
        () => build(names),
        writeDocuments,
        writeManifests,
      ]
    },
  })

  plop.setGenerator('resource', {
    description: 'A resource of a service, with its table',
    prompts: [
      { type: 'input', name: 'service', message: asking('Service:', newResource), validate: wrongServiceOf },
      { type: 'input', name: 'resource', message: asking('Name, as OfficeHour:', newResource), validate: wrongResource },
    ],
    actions(answers) {
      const names = Object.assign(answers, serviceNames(answers.service), resourceNames(answers.resource))
      const writeEdits = prepareEdits(editsForResource(names, plop.renderString(model, names)))
      return [
        addFiles('resource'),
        writeEdits,
        () => format(names),
        () => build(names),
        () => writeMigration(names.service, names.table),
        writeDocuments,
      ]
    },
  })
}
