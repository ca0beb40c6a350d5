/**
 * Whether the configuration allows this host to have a private address.
 * @param privateHosts as `host` or `host:port`
 */
export const isPrivateHost = (privateHosts: readonly string[], host: string, port: number): boolean =>
  privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`)

/** The same for an HTTP URL, whose default port is that of its protocol. */
export const isPrivateUrl = (privateHosts: readonly string[], { hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>) =>
  isPrivateHost(privateHosts, hostname, port === '' ? defaultPort(protocol) : Number(port))

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80)
