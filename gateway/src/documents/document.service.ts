import type { Audience } from '@caseway/kit/caller'
import { type TaggedJson, taggedJson } from '@caseway/kit/http'
import type { ServiceName } from '@caseway/registry'
import { mergeDocuments } from './merge.js'
import type { OpenApi } from './openapi.js'
import type { DocumentSource } from './upstream-document.client.js'

export interface DocumentService {
  /** The merged document of this address, from the last known document of each service. It is merged again only when one of them has changed. */
  merged(): Promise<TaggedJson>
}

export function documentService(audience: Audience, url: string, sources: Readonly<Record<ServiceName, DocumentSource>>): DocumentService {
  const names = Object.keys(sources) as ServiceName[]
  let last: { readonly of: readonly (OpenApi | undefined)[]; readonly merged: TaggedJson } | undefined

  return {
    async merged() {
      const documents = await Promise.all(names.map((name) => sources[name]()))
      if (!last?.of.every((document, i) => document === documents[i])) {
        const known = names.map((name, i) => [name, documents[i]] as const).filter(([, document]) => document)
        last = { of: documents, merged: taggedJson(mergeDocuments(audience, url, Object.fromEntries(known))) }
      }
      return last.merged
    },
  }
}
