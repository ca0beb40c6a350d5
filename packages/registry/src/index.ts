export { databaseUrlVariable, grpcAddressVariable, imageVariable, prefixOf, urlVariable, variableOf } from './names.js'
export {
  byService,
  callersOf,
  memoryVariablesOf,
  type Outside,
  registry,
  type ServiceEntry,
  type ServiceName,
  serviceNames,
  services,
} from './services.js'
