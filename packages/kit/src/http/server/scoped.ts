import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/**
 * A plugin with a scope of its own, and a name (https://fastify.dev/docs/latest/Reference/Plugins/). Fastify searches all modules of the process for the
 * name of a plugin that has none, twice.
 */
export const scoped = (name: string, plugin: FastifyPluginAsync) => fastifyPlugin(plugin, { name, encapsulate: true })
