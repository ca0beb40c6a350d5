/**
 * Whether a deployment has named this host, so that it may have a private address.
 * @param privateHosts `host` or `host:port`
 */
export const isPrivateHost = (privateHosts: readonly string[], host: string, port: number): boolean =>
  privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`)

/** The same for an HTTP URL: without a port, it is the default port of its protocol that is named. */
export const isPrivateUrl = (privateHosts: readonly string[], { hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>) =>
  isPrivateHost(privateHosts, hostname, port === '' ? defaultPort(protocol) : Number(port))

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80)
