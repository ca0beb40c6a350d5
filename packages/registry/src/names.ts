/** The prefix of the variables of a service: `CASES_AND_COUNTERS` for `cases-and-counters`. */
export const prefixOf = (service: string) => service.toUpperCase().replaceAll('-', '_')

/** The full name of a variable of a service, such as `CASES_AND_COUNTERS_DATABASE_URL`. */
export const variableOf = (service: string, name: string) => `${prefixOf(service)}_${name}`

/** The variable with the HTTP URLs of a service, for the gateway. */
export const urlVariable = (service: string) => variableOf(service, 'URL')

/** The variable with the gRPC address of a service, for its callers. */
export const grpcAddressVariable = (service: string) => variableOf(service, 'GRPC_ADDRESS')

/** The variable with the image of a service, for the tests in containers. */
export const imageVariable = (service: string) => variableOf(service, 'IMAGE')

export const databaseUrlVariable = (service: string) => variableOf(service, 'DATABASE_URL')
