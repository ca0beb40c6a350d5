import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type Home, writePrivately } from './home.js'
import { Problem } from './problem.js'

/** Generated once: without them neither the database nor what is encrypted in it opens again. */
export type Secrets = Record<(typeof names)[number] | 'kafka', string>

const names = ['postgres', 'auth', 'authSecret', 'casesAndCounters'] as const

const generate = () => randomBytes(32).toString('base64url')

export function openSecrets(home: Home): Secrets {
  if (!existsSync(home.secrets)) {
    if (existsSync(home.postgres)) {
      throw new Problem(
        `The data in ${home.path} are damaged (secrets.json is missing): put it back, or delete the folder for a fresh start.`,
      )
    }
    const secrets = Object.fromEntries([...names, 'kafka'].map((name) => [name, generate()])) as Secrets
    writePrivately(home.secrets, secrets)
    return secrets
  }
  const secrets = parse(readFileSync(home.secrets, 'utf8'))
  if (!names.every((name) => typeof secrets?.[name] === 'string')) {
    throw new Problem(
      `The data in ${home.path} are damaged (secrets.json is not complete): put it back, or delete the folder for a fresh start.`,
    )
  }
  // Folders of earlier versions have none; their broker asked nobody who they are.
  const complete = { kafka: generate(), ...secrets } as Secrets
  if (!secrets?.kafka) writePrivately(home.secrets, complete)
  return complete
}

function parse(text: string): Partial<Secrets> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
