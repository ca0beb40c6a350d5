import { configurationTable } from './table.js'
import type { DeclaredVariable, Variable } from './variables.js'

export type Variables = Record<string, Variable<unknown>>

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>

type ValueOf<V> = V extends Variable<infer T> ? T : never
export type Values<V extends Variables> = { readonly [Name in keyof V & string as CamelCase<Name>]: ValueOf<V[Name]> }

export interface Config<V extends Variables> {
  /**
   * Parses `env`. The value of `POOL_MAX` is the property `poolMax`.
   * @throws ConfigError that lists every problem
   */
  read(env: NodeJS.ProcessEnv): Values<V>
  /** The variables as a table in Markdown, for a README. */
  table(): string
  /** The declared variables with their full names, in the order of their declaration: for files that are generated from them. */
  variables(): readonly DeclaredVariable[]
}

/**
 * A rule about several variables. Returns a sentence for each violation.
 * @param nameOf the full name of a variable in the environment, with its prefix
 */
export type Rule<V extends Variables> = (values: Values<V>, nameOf: (key: keyof V & string) => string) => readonly string[]

/** The values that `read` of a configuration returns. */
export type ConfigOf<C> = C extends Config<infer V> ? Values<V> : never

/** The environment is not usable. `problems` are sentences that contain no values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/**
 * Declares the variables of a service. With the prefix `AUTH`, `POOL_MAX` is read from `AUTH_POOL_MAX`; a shared variable has no prefix.
 * An empty variable counts as not set. A rule is skipped when it reads a variable whose own value is invalid.
 */
export function defineConfig<const V extends Variables>(prefix: string, variables: V, ...rules: readonly Rule<NoInfer<V>>[]): Config<V> {
  const nameOf = (key: string) => (variables[key]?.shared ? key : `${prefix}_${key}`)
  const declared = Object.entries(variables).map(([key, variable]) => ({
    property: camelCase(key),
    name: nameOf(key),
    variable,
  }))
  return {
    read(env) {
      const values = {}
      const problems = declared.flatMap(({ property, name, variable }) => {
        const { value, problem } = readOne(name, variable, env[name])
        const found = problem === undefined ? { value } : { get: refuse }
        Object.defineProperty(values, property, { enumerable: true, ...found })
        return problem ?? []
      })
      problems.push(...rules.flatMap((rule) => brokenOf(() => rule(values as Values<V>, nameOf))))
      if (problems.length > 0) throw new ConfigError(problems)
      return values as Values<V>
    },
    table: () => configurationTable(declared),
    variables: () => declared.map(({ name, variable }) => ({ name, variable })),
  }
}

const notUsable = Symbol('a variable that is not usable by itself')
const refuse = () => {
  throw notUsable
}

function brokenOf(rule: () => readonly string[]): readonly string[] {
  try {
    return rule()
  } catch (error) {
    if (error === notUsable) return []
    throw error
  }
}

function readOne(name: string, variable: Variable<unknown>, text: string | undefined): { value?: unknown; problem?: string } {
  if (text === undefined || text === '') {
    if (variable.default !== undefined || variable.optional) return { value: variable.default }
    return { problem: `${name} is missing: it must be ${variable.expected}.` }
  }
  const value = variable.parse(text)
  return value === undefined ? { problem: `${name} must be ${variable.expected}.` } : { value }
}

/** A sentence for each variable that `env` sets to an invalid value, without the rules. For a launcher that passes variables on to several services. */
export const unusable = (declared: readonly DeclaredVariable[], env: NodeJS.ProcessEnv): string[] => [
  ...new Set(declared.flatMap(({ name, variable }) => (env[name] && readOne(name, variable, env[name]).problem) || [])),
]

/** The value of the variable `name`, such as `POOL_MAX`, among those that `read` has returned. */
export const variableValue = (values: object, name: string): unknown => (values as Record<string, unknown>)[camelCase(name)]

const camelCase = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
