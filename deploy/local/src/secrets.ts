import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type LocalSecrets, passwordKey, secretKey } from '@caseway/command/local-secrets'
import { serviceNames, services } from '@caseway/registry'
import { type Home, writePrivately } from './home.js'
import { Problem } from './problem.js'

/** Generated once: without them neither the database nor the encrypted data in it can be opened. */
export type Secrets = LocalSecrets & { readonly postgres: string; readonly kafka: string }

/** Keys of secrets that must not be generated anew once there are data. */
const irreplaceable = ['postgres', ...services.flatMap(({ name, secrets }) => secrets.map((secret) => secretKey(name, secret)))]
/** Keys of passwords that each start sets on its server. */
const replaceable = ['kafka', ...serviceNames.map(passwordKey)]

const generated = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, randomBytes(32).toString('base64url')]))

export function openSecrets(home: Home): Secrets {
  if (!existsSync(home.secrets)) {
    if (existsSync(home.postgres)) {
      throw new Problem(
        `The data in ${home.path} are damaged (secrets.json is missing): put it back, or delete the folder for a fresh start.`,
      )
    }
    const secrets = generated([...irreplaceable, ...replaceable])
    writePrivately(home.secrets, secrets)
    return secrets as Secrets
  }
  const stored = parse(readFileSync(home.secrets, 'utf8'))
  if (!stored || !irreplaceable.every((name) => typeof stored[name] === 'string')) {
    throw new Problem(
      `The data in ${home.path} are damaged (secrets.json is not complete): put it back, or delete the folder for a fresh start.`,
    )
  }
  const secrets = { ...generated(replaceable), ...stored }
  // A folder of an earlier version lacks the passwords of newer services.
  if (Object.keys(secrets).length > Object.keys(stored).length) writePrivately(home.secrets, secrets)
  return secrets as Secrets
}

function parse(text: string): Record<string, string> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
