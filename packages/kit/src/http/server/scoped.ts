import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/**
 * An encapsulated plugin with a name (https://fastify.dev/docs/latest/Reference/Plugins/). For a plugin without a name, Fastify searches all loaded modules
 * twice.
 */
export const scoped = (name: string, plugin: FastifyPluginAsync) => fastifyPlugin(plugin, { name, encapsulate: true })
