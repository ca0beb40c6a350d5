export { answerSchemas, errorSchemas, publicAnswerSchemas } from './answers.js'
export { createHttpApp, type HttpAppOptions } from './app.js'
export { authenticate, clientOf, employeeOf } from './authenticate.js'
export { bodyReader } from './body.js'
export { type Answer, answerOf, envelope, httpStatus, json } from './envelope.js'
export { etagOf, isUnchanged } from './etag.js'
export { send } from './failures.js'
export { type Access, type Field, FieldError, type JsonSchema, type SqlType, type ValueOf } from './field.js'
export {
  choice,
  date,
  email,
  flagText,
  hexColor,
  idInteger,
  idText,
  integerText,
  line,
  nullable,
  paragraph,
  readOnly,
  timestamp,
  writeOnly,
  zone,
} from './fields.js'
export { type Health, serveHealth } from './health.js'
export type { Idempotency, IdempotencyStore, KeyedRequest } from './idempotency.js'
export type { CallerOf, ChangesOf, Cursor, InputOf, ListQuery, Page, RecordOf, ResourceHandlers, RowOf } from './record.js'
export { type Column, defineResource, type Fields, type Joined, type Resource, type Verb } from './resource.js'
export { resourceRoutes } from './resource-routes.js'
export type { OnRefused, Refusal } from './route-space.js'
export type { App, Routes, Space } from './routes.js'
export { createHttpServer, type HttpServerOptions } from './server.js'
export { sendTagged, type TaggedJson, taggedJson } from './tagged-json.js'
export { answerUnknown } from './unknown.js'
export { recordEncoder, type WrappedRecord } from './wire.js'
export { wrappedBody } from './wrapped-body.js'
export type { TimeZones } from './zones.js'
