/**
 * `node new-secrets.mjs [host:port] [query]` prints the Secrets of a new installation as YAML for `kubectl create -f -`: random passwords for the
 * databases and Kafka, and the secrets of the services. Run it only once: with new secrets the stored data cannot be decrypted.
 */
import { stringify } from 'yaml'
import { newSecrets } from './dist/secrets.js'

const [server = 'postgresql-rw:5432', query = 'sslmode=verify-full&sslrootcert=/run/secrets/authorities/postgresql.crt'] =
  process.argv.slice(2)
console.log(
  newSecrets(server, query)
    .map((secret) => stringify(secret))
    .join('---\n'),
)
