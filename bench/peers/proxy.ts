/** `@fastify/http-proxy` as it comes: no token, no limits, no table of routes. */
import proxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { serve } from './serve.js'

const app = Fastify()
app.register(proxy, { upstream: process.env.UPSTREAM as string })
await serve(app)
