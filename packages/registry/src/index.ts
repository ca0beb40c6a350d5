export { databaseUrlVariable, grpcAddressVariable, imageVariable, prefixOf, urlVariable, variableOf } from './names.js'
export { byService, callersOf, type Outside, registry, type ServiceEntry, type ServiceName, serviceNames, services } from './services.js'
