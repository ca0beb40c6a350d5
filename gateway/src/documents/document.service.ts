import type { Audience } from '@caseway/kit/caller'
import type { UpstreamName } from '../upstreams.js'
import { mergeDocuments } from './merge.js'
import type { OpenApi } from './openapi.js'
import type { DocumentSource } from './upstream-document.client.js'

export interface DocumentService {
  /** What this address can do, as far as its services have ever said. */
  merged(): Promise<OpenApi>
}

export function documentService(audience: Audience, url: string, sources: Readonly<Record<UpstreamName, DocumentSource>>): DocumentService {
  return {
    async merged() {
      const fetched = Object.entries(sources).map(async ([name, fetchDocument]) => [name, await fetchDocument()] as const)
      const known = (await Promise.all(fetched)).filter(([, document]) => document)
      return mergeDocuments(audience, url, Object.fromEntries(known))
    },
  }
}
