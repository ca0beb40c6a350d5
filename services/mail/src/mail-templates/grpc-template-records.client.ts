import type { Peers } from '@caseway/kit/grpc'
import { recordClient } from '@caseway/kit/objects'
import type { TemplateKind } from './mail-template.js'
import type { TemplateRecords } from './template-records.js'

const resources = { client: 'Client', customer: 'Customer', user: 'User', issue: 'Issue' } satisfies Record<TemplateKind, string>

/** auth and cases-and-counters over gRPC. */
export function grpcTemplateRecords(peers: Peers): TemplateRecords {
  const [people, cases] = [recordClient('auth', peers), recordClient('cases-and-counters', peers)]
  return {
    async find(customerId, kind, id) {
      const name = resources[kind]
      const json = (await (kind === 'issue' ? cases : people)(customerId, name, [id])).get(id)
      return json === undefined ? undefined : JSON.parse(json)[name]
    },
  }
}
