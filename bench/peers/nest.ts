/** The same by NestJS and Prisma, as their documentation shows it: a controller, a service and a DTO for each, no gateway, no token, no rights. */
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
