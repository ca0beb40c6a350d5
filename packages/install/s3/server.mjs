import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.mjs'
import { jarsOf, spawnServer } from '../java.mjs'

const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
const accessKeyId = 'caseway'

/**
 * Starts an S3 server on the loopback interface: S3Proxy, from Maven artefacts, with one folder in `home` per bucket. It checks signatures.
 * @throws Error with one sentence when Java or Maven is missing, or the server does not start
 */
export async function startS3({ home, bucket, secretAccessKey, port }) {
  const [libs, at] = [await jarsOf(pom), port ?? (await freePort())]
  const data = join(home, 'data')
  mkdirSync(join(data, bucket), { recursive: true })
  const endpoint = `http://127.0.0.1:${at}`
  const properties = join(home, 's3proxy.conf')
  writeFileSync(properties, settings({ endpoint, data, secretAccessKey }), { mode: 0o600 })
  const server = spawnServer([...jvm(home), '-cp', join(libs, '*'), 'org.gaul.s3proxy.Main', '--properties', properties], {
    log: join(home, 's3proxy.log'),
  })
  await server.ready('S3Proxy', at)
  return { endpoint, port: at, bucket, accessKeyId, secretAccessKey, stop: server.stop }
}

const jvm = (home) => ['-Xmx128m', `-Djava.io.tmpdir=${home}`]

const settings = ({ endpoint, data, secretAccessKey }) => `
s3proxy.endpoint=${endpoint}
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=${accessKeyId}
s3proxy.credential=${secretAccessKey}
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=${data}
`
