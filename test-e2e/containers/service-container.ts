import { text } from 'node:stream/consumers'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { GenericContainer, getContainerRuntimeClient, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images, type Program } from './images.js'
import { logOf } from './logs.js'

/** Where a container finds what it proves its name with: files of this machine that it may read, as an orchestrator mounts a secret. */
export const mounted = {
  GRPC_CERT_FILE: '/run/secrets/tls.crt',
  GRPC_KEY_FILE: '/run/secrets/tls.key',
  GRPC_CA_FILE: '/run/secrets/ca.crt',
}

/** A container of one of our images, as little as it may have: nothing to write to, no privileges, none to be gained. */
export class ServiceContainer extends GenericContainer {
  constructor(program: Program, network: StartedNetwork, environment: Record<string, string>) {
    super(images[program])
    this.hostConfig.ReadonlyRootfs = true
    this.withDroppedCapabilities('ALL').withSecurityOpt('no-new-privileges').withNetwork(network).withEnvironment(environment)
  }

  withCertificate({ certFile, keyFile, caFile }: CertificateFiles): this {
    const files = { [mounted.GRPC_CERT_FILE]: certFile, [mounted.GRPC_KEY_FILE]: keyFile, [mounted.GRPC_CA_FILE]: caFile }
    const mounts = Object.entries(files).map(([target, source]) => ({ source, target, mode: 'ro' as const }))
    return this.withEnvironment(mounted).withBindMounts(mounts)
  }

  /** The service itself, which is there when its health check says so. */
  async serve(name: string): Promise<StartedTestContainer> {
    return this.withNetworkAliases(name).withWaitStrategy(Wait.forHealthCheck()).withLogConsumer(logOf(name)).start()
  }

  /** Another command of the image, until it has ended with 0. Gives what it printed. */
  async run(command: readonly string[], name: string): Promise<string> {
    const ended = await this.withCommand([...command])
      .withWaitStrategy(Wait.forOneShotStartup())
      .withLogConsumer(logOf(name))
      .start()
    const printed = await text(await ended.logs())
    await ended.stop()
    return printed
  }
}

/** What the engine knows of a container, and what only it can do with one. */
export async function engineOf(container: StartedTestContainer) {
  const { container: engine } = await getContainerRuntimeClient()
  return engine.getById(container.getId())
}
