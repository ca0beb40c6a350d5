import { type TestService, testService } from '@caseway/testing/service'
import { mail } from '../../src/wiring.js'
import { type Receiver, receiver } from './mailbox.js'

export interface ServiceWithEngine {
  readonly service: TestService
  /** The intake. */
  readonly engine: Receiver
  stop(): Promise<void>
}

/** The service and the intake, on the same database. */
export async function serviceWithEngine(variables: Readonly<Record<string, string>> = {}): Promise<ServiceWithEngine> {
  const service = await testService(mail, { variables: { MAIL_ROLES: 'http', ...variables } })
  const engine = receiver(service.database)
  return {
    ...{ service, engine },
    async stop() {
      await engine.db.close()
      await service.stop()
    },
  }
}
