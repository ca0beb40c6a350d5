/** How the name of a service is written in the names of variables: `CASES_AND_COUNTERS` of `cases-and-counters`. */
export const prefixOf = (service: string) => service.toUpperCase().replaceAll('-', '_')

/** A variable of a service: `CASES_AND_COUNTERS_DATABASE_URL`. */
export const variableOf = (service: string, name: string) => `${prefixOf(service)}_${name}`

/** Where a service answers HTTP, for the gateway. */
export const urlVariable = (service: string) => variableOf(service, 'URL')

/** Where a service answers gRPC, for those that ask it. */
export const grpcAddressVariable = (service: string) => variableOf(service, 'GRPC_ADDRESS')

/** Which image a service has, for those that start containers. */
export const imageVariable = (service: string) => variableOf(service, 'IMAGE')

export const databaseUrlVariable = (service: string) => variableOf(service, 'DATABASE_URL')
