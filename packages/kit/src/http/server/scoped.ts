import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/**
 * A plugin with a scope of its own, under a name (https://fastify.dev/docs/latest/Reference/Plugins/). For the name of a plugin without one, fastify
 * compares it with each module that the process has loaded, twice.
 */
export const scoped = (name: string, plugin: FastifyPluginAsync) => fastifyPlugin(plugin, { name, encapsulate: true })
