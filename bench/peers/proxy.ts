/** `@fastify/http-proxy` with its defaults: no tokens, limits or routing table. */
import proxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { serve } from './serve.js'

const app = Fastify()
app.register(proxy, { upstream: process.env.UPSTREAM as string })
await serve(app)
