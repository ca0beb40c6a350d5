import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Required variables of a process, with addresses that it does not use. */
const nobody = 'ipv4:127.0.0.1:1'
const surroundings = {
  ...{ MAIL_HTTP_HOST: '127.0.0.1', MAIL_HTTP_PORT: '0', MAIL_GRPC_HOST: '127.0.0.1', MAIL_GRPC_PORT: '0', MAIL_METRICS_PORT: '0' },
  ...{ AUTH_GRPC_ADDRESS: nobody, CASES_AND_COUNTERS_GRPC_ADDRESS: nobody, FILES_GRPC_ADDRESS: nobody, GRPC_INSECURE: 'true' },
  ...{ EXPERT_URL: 'https://expert.example', CLIENT_URL: 'https://client.example', TOKEN_ISSUER: 'https://expert.example' },
  ...{ JWKS_URL: 'http://127.0.0.1:1/', LOG_LEVEL: 'fatal' },
}

export interface MailProcess {
  /** Kills it with SIGKILL; resolves when it has ended. */
  kill(): Promise<void>
}

/** A process of the built service, with the roles in `MAIL_ROLES`. */
export function mailProcess(variables: Readonly<Record<string, string>>): MailProcess {
  const env = { PATH: process.env.PATH, ...surroundings, ...variables }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
