import { text } from 'node:stream/consumers'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { GenericContainer, getContainerRuntimeClient, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images, type Program } from './images.js'
import { logOf } from './logs.js'

/** The paths of the certificate in a container: files of this machine, copied as an orchestrator mounts a secret. */
export const mounted = {
  GRPC_CERT_FILE: '/run/secrets/tls.crt',
  GRPC_KEY_FILE: '/run/secrets/tls.key',
  GRPC_CA_FILE: '/run/secrets/ca.crt',
}

/** A container of one of our images with minimal rights: a read-only file system and no privileges. */
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

  /** Starts the service, and resolves when its health check succeeds. */
  async serve(name: string): Promise<StartedTestContainer> {
    return this.withNetworkAliases(name).withWaitStrategy(Wait.forHealthCheck()).withLogConsumer(logOf(name)).start()
  }

  /** Runs another command of the image. Resolves with its output when it has ended with 0. */
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

/** Low-level access to a container by the Docker API. */
export async function engineOf(container: StartedTestContainer) {
  const { container: engine } = await getContainerRuntimeClient()
  return engine.getById(container.getId())
}
