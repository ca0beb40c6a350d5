/**
 * The same routes with NestJS and Prisma, as their documentation shows: a controller, a service and a DTO for each; without a gateway, tokens or
 * rights.
 */
import 'reflect-metadata'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { AppModule } from './nest/app.module.js'

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ['error', 'warn'] })
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }))
process.once('disconnect', () => process.exit())
await app.listen(0, '127.0.0.1')
process.send?.(await app.getUrl())
