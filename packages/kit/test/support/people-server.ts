import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { type GrpcSecurity, startGrpcServer, unary } from '@caseway/kit/grpc'
import { createLog, createMetrics } from '@caseway/kit/observability'
import {
  type GetUserRequest,
  type GetUserResponse,
  type PeopleServiceServer,
  PeopleServiceService,
  type User,
} from '@caseway/protos/auth/v1/people'

export type GetUser = (request: GetUserRequest) => Promise<GetUserResponse> | GetUserResponse

export const userOf = ({ customerId, id }: GetUserRequest): User => ({
  ...{ customerId, id, email: 'eve@example.org', firstname: 'Eve', lastname: 'Novak', active: true },
})

interface PeopleOptions {
  port?: number
  drainMs?: number
  security?: GrpcSecurity
  /** The allowed callers, with mutual TLS. */
  callers?: readonly string[]
}

/** Starts a people service on loopback that implements `getUser`. */
export async function startPeople(getUser: GetUser, options: PeopleOptions = {}) {
  const { port = 0, drainMs = 10_000, security = 'plaintext', callers = [] } = options
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const metrics = createMetrics('test')
  const people: PeopleServiceServer = {
    getUser: unary(getUser),
    getClientLink: unary(() => ({ link: undefined })),
    getGroup: unary(() => ({ group: undefined })),
  }
  const services = [[PeopleServiceService, people]] as const
  const server = await startGrpcServer({ host: '127.0.0.1', port, services, security, callers, log, metrics, drainMs })
  return { ...server, address: `127.0.0.1:${server.port}`, lines, metrics }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
