import { AsyncResource } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { UpstreamTooSlow } from '../errors.js'
import { shortBytes } from './short-bodies.js'

type Controller = Dispatcher.DispatchController

/** The body of an answer that was short enough to be read as a whole. */
export class BufferedBody {
  constructor(readonly bytes: Buffer) {}

  /** Does nothing; `@fastify/reply-from` calls it on the body of an answer whose client has disconnected. */
  destroy(): void {}
}

export interface Answer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: BufferedBody | Readable
}

export type AnswerCallback = (error: Error | null, answer?: Answer) => void

/** Receives the answer of a service. `onAnswer` is called once, in the async context of the request, with the answer or an error. */
export class AnswerHandler extends AsyncResource implements Dispatcher.DispatchHandler {
  #controller: Controller | undefined
  #abortReason: Error | undefined
  #stream: Readable | undefined
  #head: Omit<Answer, 'body'> | undefined
  readonly #chunks: Buffer[] = []

  constructor(
    readonly onBegin: () => void,
    readonly onAnswer: AnswerCallback,
  ) {
    super('UpstreamAnswer')
  }

  /** Ends the request because its client has disconnected or its time is up, and calls `onAnswer` with `reason`. */
  abort(reason: Error): void {
    this.#abortReason = reason
    this.#controller?.abort(reason)
    this.#settle(reason)
  }

  onRequestStart(controller: Controller): void {
    if (this.#abortReason) controller.abort(this.#abortReason)
    this.#controller = controller
  }

  onResponseStart(controller: Controller, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200 || this.#abortReason) return
    this.onBegin()
    this.#head = { statusCode, headers }
    if (isShort(statusCode, headers)) return
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, callback) => {
        controller.abort(error ?? new Error('The client has closed the connection.'))
        callback(error)
      },
    })
    this.#settle(null, { ...this.#head, body: this.#stream })
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.#stream) this.#chunks.push(chunk)
    else if (!this.#stream.push(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    const [first, second] = this.#chunks
    if (this.#stream) this.#stream.push(null)
    else if (this.#head)
      this.#settle(null, { ...this.#head, body: new BufferedBody(first && !second ? first : Buffer.concat(this.#chunks)) })
  }

  onResponseError(_controller: Controller, error: Error & { code?: string }): void {
    if (this.#stream) this.#stream.destroy(error)
    else if (!this.#abortReason) this.#settle(error.code === 'UND_ERR_BODY_TIMEOUT' ? new UpstreamTooSlow() : error)
  }

  #settle(error: Error | null, answer?: Answer): void {
    this.runInAsyncScope(this.onAnswer, undefined, error, answer)
  }
}

const isShort = (statusCode: number, { 'content-length': length }: IncomingHttpHeaders) =>
  statusCode === 204 || statusCode === 304 || Number(length) <= shortBytes
