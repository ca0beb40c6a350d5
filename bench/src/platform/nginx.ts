import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@caseway/install/free-port.mjs'
import { repository } from './launcher.js'

export interface Nginx {
  readonly url: string
  /** The folder that it serves, and into which PUT writes. */
  readonly folder: string
  stop(): Promise<void>
}

/** Default settings, except for PUT, unlimited bodies, and no access log. */
const settings = (folder: string, port: number) => `
daemon off;
user root;
worker_processes auto;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  sendfile on;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  client_body_temp_path ${folder}/incoming;
  proxy_temp_path ${folder}/unused;
  fastcgi_temp_path ${folder}/unused;
  uwsgi_temp_path ${folder}/unused;
  scgi_temp_path ${folder}/unused;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    dav_methods PUT DELETE;
  }
}
`

/** Starts an nginx that stores and serves files in `folder` (ngx_http_dav_module). */
export async function startNginx(folder: string): Promise<Nginx> {
  const port = await freePort()
  for (const each of ['files', 'incoming', 'unused']) mkdirSync(join(folder, each), { recursive: true })
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(configuration, settings(folder, port))
  const server = spawn(nginx(), ['-p', folder, '-e', 'stderr', '-c', configuration], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(server, 'exit')
  while (!(await answers(port))) {
    if (server.exitCode !== null) throw new Error('nginx did not start.')
    await pause(50)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    folder: join(folder, 'files'),
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** The nginx in PATH, otherwise the one from Debian's package, which is only unpacked, because installing it would start its server. */
function nginx(): string {
  const system = (process.env.PATH ?? '').split(':').map((path) => join(path, 'nginx'))
  const cache = join(repository, 'node_modules/.cache/nginx')
  const fetched = join(cache, 'usr/sbin/nginx')
  const found = [...system, '/usr/sbin/nginx', fetched].find(existsSync)
  if (found) return found
  const unfinished = `${cache}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    execFileSync('apt-get', ['download', '-qq', 'nginx'], { cwd: unfinished, stdio: 'ignore' })
    const [archive = ''] = readdirSync(unfinished)
    execFileSync('dpkg', ['-x', archive, '.'], { cwd: unfinished })
  } catch (cause) {
    throw new Error('nginx with ngx_http_dav_module is needed (Debian: nginx).', { cause })
  }
  renameSync(unfinished, cache)
  return fetched
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
