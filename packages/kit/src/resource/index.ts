export { encodeCursor } from './cursor.js'
export { type Embeddable, type Embedded, isMany, type Many, many, type Nested, type One, type Only, one, only } from './embedded.js'
export { isAlready } from './is-already.js'
export { listParameters, listQueryReader, orderOf } from './list-query.js'
export { type Camel, camel, embeddedName } from './naming.js'
export { byId, type PageById, pageById, pageByIdFields, pageOf } from './page-by-id.js'
export type {
  CallerOf,
  ChangesOf,
  Cursor,
  EmbeddedObject,
  EmbeddedReads,
  FieldErrors,
  InputOf,
  ListQuery,
  Page,
  RecordOf,
  ResourceHandlers,
  RowOf,
  ValuesOf,
} from './record.js'
export {
  type Column,
  columnsOf,
  columnsWithin,
  defineResource,
  embeddedKeyIndex,
  isOfficeNamed,
  listPathOf,
  type Resource,
  type Search,
} from './resource.js'
export { object, plainInput, shown, shownEmbeddable, shownEmbedded, wrappedInput } from './shapes.js'
export {
  type StoredEmbedded,
  type StoredList,
  type StoredPage,
  type StoredRow,
  storedList,
  storedObjects,
  storedRecord,
  withStoredObjects,
  withStoredRows,
} from './stored-rows.js'
export { cachedZones, type TimeZones, type Zones } from './zones.js'
