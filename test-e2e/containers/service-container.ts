import { GenericContainer, getContainerRuntimeClient, type StartedNetwork, type StartedTestContainer, Wait } from 'testcontainers'
import { images, type Service } from './images.js'
import { logOf } from './logs.js'

/** A container of one of our images, as little as it may have: nothing to write to, no privileges, none to be gained. */
export class ServiceContainer extends GenericContainer {
  constructor(service: Service, network: StartedNetwork, environment: Record<string, string>) {
    super(images[service])
    this.hostConfig.ReadonlyRootfs = true
    this.withDroppedCapabilities('ALL').withSecurityOpt('no-new-privileges').withNetwork(network).withEnvironment(environment)
  }

  /** The service itself, which is there when its health check says so. */
  async serve(name: string): Promise<StartedTestContainer> {
    return this.withNetworkAliases(name).withWaitStrategy(Wait.forHealthCheck()).withLogConsumer(logOf(name)).start()
  }

  /** Another command of the image, until it has ended with 0. */
  async run(command: readonly string[], name: string): Promise<void> {
    const ended = await this.withCommand([...command])
      .withWaitStrategy(Wait.forOneShotStartup())
      .withLogConsumer(logOf(name))
      .start()
    await ended.stop()
  }
}

/** What the engine knows of a container, and what only it can do with one. */
export async function engineOf(container: StartedTestContainer) {
  const { container: engine } = await getContainerRuntimeClient()
  return engine.getById(container.getId())
}
