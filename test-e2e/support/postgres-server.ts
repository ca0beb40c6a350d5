/** Starts PostgreSQL with TLS, by `server.crt` and `server.key` of a folder, which are copied because the key must belong to the server's user. */
export const startWithTls = (folder: string) =>
  [
    'install -d -o postgres -g postgres /etc/tls',
    `install -o postgres -g postgres -m 600 ${folder}/server.key ${folder}/server.crt /etc/tls`,
    [
      'exec docker-entrypoint.sh postgres -c fsync=off -c ssl=on -c ssl_cert_file=/etc/tls/server.crt -c ssl_key_file=/etc/tls/server.key',
      // Twelve for each copy of a service, also while a new copy runs beside the old one.
      '-c max_connections=400',
    ].join(' '),
  ].join(' && ')
