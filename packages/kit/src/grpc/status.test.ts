import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { describe, expect, it } from '@jest/globals'
import { AppError, errorKinds } from '../errors/index.js'
import { errorOf, grpcStatus, statusOf } from './status.js'

const failure = (over: Partial<ServiceError>): ServiceError =>
  Object.assign(new Error('failed'), { code: status.UNKNOWN, details: 'failed', metadata: new Metadata(), ...over })

describe('an error over gRPC', () => {
  it.each(errorKinds)('%s is restored completely', (kind) => {
    const thrown = new AppError(kind, 'CODE', 'Żółć', { fields: { name: 'is required' }, retryAfterSeconds: 7, cause: new Error('inside') })
    const received = failure(statusOf(thrown))
    const restored = errorOf(received)
    expect(restored).toBeInstanceOf(AppError)
    expect(restored).toMatchObject({
      kind,
      code: 'CODE',
      message: 'Żółć',
      fields: { name: 'is required' },
      retryAfterSeconds: 7,
      cause: received,
    })
  })

  it('has a status of its own for each kind', () => {
    expect(new Set(Object.values(grpcStatus)).size).toBe(errorKinds.length)
  })

  it('shows nothing of an internal error, nor of a cause', () => {
    const fault = statusOf(new Error('password=canary'))
    expect(fault).toMatchObject({ code: status.INTERNAL, details: 'Internal error.' })
    const caused = statusOf(new AppError('unavailable', 'UNAVAILABLE', 'Later.', { cause: new Error('canary') }))
    expect(JSON.stringify([fault, caused, caused.metadata.getMap()])).not.toContain('canary')
  })

  it.each([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.UNIMPLEMENTED])(
    'of gRPC itself that may pass (%i) is unavailable',
    (code) => {
      expect(errorOf(failure({ code }))).toMatchObject({ kind: 'unavailable', code: 'UNAVAILABLE', retryAfterSeconds: 1 })
    },
  )

  it.each([status.INTERNAL, status.NOT_FOUND])('of gRPC itself that is a fault (%i) stays one', (code) => {
    const received = failure({ code })
    expect(errorOf(received)).toBe(received)
  })

  it.each([
    ['of a kind that this build does not know', JSON.stringify({ kind: 'gone', code: 'GONE', message: 'x' })],
    ['that contradicts its status', JSON.stringify({ kind: 'forbidden', code: 'FORBIDDEN', message: 'x' })],
    ['that cannot be read', '{'],
  ])('%s goes by its status', (_, details) => {
    const metadata = new Metadata()
    metadata.set('caseway-error-bin', Buffer.from(details))
    const received = failure({ code: status.NOT_FOUND, metadata })
    expect(errorOf(received)).toBe(received)
  })
})
