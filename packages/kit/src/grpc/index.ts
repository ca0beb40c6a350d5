export { createGrpcClient, type GrpcClient, type GrpcClientOptions } from './client.js'
export { type GrpcServerOptions, type RunningGrpcServer, startGrpcServer } from './server.js'
export { grpcStatus } from './status.js'
export { unary } from './unary.js'
