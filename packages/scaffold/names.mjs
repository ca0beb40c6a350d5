import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { services } from '@caseway/registry'
import pluralize from 'pluralize'
import { root } from '../verify/run.mjs'

const camel = (kebab) => kebab.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase())
const kebab = (pascal) => pascal.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase()
const snake = (pascal) => kebab(pascal).replaceAll('-', '_')

/** The names in the templates of a service: `company-card` is `companyCard` in code. */
export const serviceNames = (service) => ({ service, definition: camel(service) })

/** The names in the templates of a resource: `OfficeHour` is in `office-hours/office-hour.resource.ts`, `/rest/office_hour` and `office_hours`. */
export const resourceNames = (Name) => ({
  Name,
  name: camel(kebab(Name)),
  file: kebab(Name),
  module: pluralize(kebab(Name)),
  path: snake(Name),
  table: pluralize(snake(Name)),
})

const folderOf = (service) => join(root, 'services', service)

/** Names of roles and databases that PostgreSQL reserves. */
const namesOfPostgres = ['none', 'postgres', 'public', 'template0', 'template1']

/** Names that the generated files of a service declare for other purposes. */
const namesOfFiles = ['config', 'definitions', 'here', 'service', 'tables']

/** The global names of JavaScript, such as `Date` and `Object`. */
const namesOfJavaScript = new Set(new Script('Object.getOwnPropertyNames(globalThis)').runInContext(createContext()))

/** Whether a JavaScript module can have a variable of this name. */
function isVariable(name) {
  try {
    return Boolean(new Script(`'use strict'; async () => { const ${name} = 0 }`))
  } catch {
    return false
  }
}

/** @returns true, or why a service cannot have this name */
export function wrongService(name) {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    return `"${name}" cannot be the name of a service: lower-case words with hyphens between them, for example company-card.`
  }
  if (name === 'caseway') return 'caseway is the name of the command line.'
  if (namesOfPostgres.includes(name)) return `${name} is a name of PostgreSQL itself.`
  if (namesOfFiles.includes(name) || !isVariable(camel(name)))
    return `"${name}" is a reserved word of JavaScript, or a name that the code of a service has already.`
  const isTaken = existsSync(folderOf(name)) || existsSync(join(root, 'node_modules/@caseway', name))
  return isTaken ? `@caseway/${name} already exists.` : true
}

/** @returns true, or why a service cannot get a resource */
export function wrongServiceOf(name) {
  if (services.some((service) => service.name === name)) return true
  return `There is no service "${name}". Create it with npm run new:service -- ${name}`
}

/** @returns true, or why the service cannot have a resource of this name */
export function wrongResource(Name, { service } = {}) {
  if (!/^([A-Z][a-z0-9]*)+$/.test(Name) || pluralize.singular(Name) !== Name) {
    return `"${Name}" cannot be the name of a resource: singular and in PascalCase, for example OfficeHour.`
  }
  if (namesOfJavaScript.has(Name)) return `${Name} is a name of JavaScript itself.`
  const { path, module } = resourceNames(Name)
  const other = services.find(({ prefixes }) => prefixes.expert.includes(path) || prefixes.client.includes(path))
  if (other) return `/rest/${path} already exists, in ${other.name}.`
  if (service === undefined) return true
  const schema = readFileSync(join(folderOf(service), 'prisma/schema.prisma'), 'utf8')
  const isTaken = existsSync(join(folderOf(service), 'src', module)) || new RegExp(`^model ${Name} `, 'm').test(schema)
  return isTaken ? `${service} already has a ${Name}.` : true
}
