import { expect, it } from '@jest/globals'
import { settingsOf } from './settings.js'

const home = { folder: '/home/caseway' }

it('every service and the gateway get the variables of the environment that they declare, and no others', () => {
  const ofServices = { AUTH_ACCESS_TOKEN_SECONDS: '5', CASES_AND_COUNTERS_COUNTER_CHECK_SECONDS: '7', MAIL_POOL_MAX: '3' }
  const ofAll = { DEFAULT_TIME_ZONE: 'Europe/Berlin', OUTBOUND_PRIVATE_HOSTS: '127.0.0.1:8080', GATEWAY_BODY_LIMIT_BYTES: '9' }
  const others = { PATH: '/bin', SHOP_POOL_MAX: '3', AUTH_SMTP_URL: '' }
  expect(settingsOf({ ...ofServices, ...ofAll, ...others }, home)).toEqual({ ...ofServices, ...ofAll, CASEWAY_HOME: '/home/caseway' })
})

it('what the launcher sets itself is not passed on', () => {
  const names = ['AUTH_HTTP_HOST', 'AUTH_GRPC_PORT', 'MAIL_METRICS_PORT', 'EXPERT_URL', 'GRPC_CERT_FILE', 'KAFKA_BROKERS', 'LOG_LEVEL']
  const own = [...names, 'AUTH_DATABASE_URL', 'AUTH_SECRET', 'FILES_FOLDER', 'CASEWAY_HOME']
  expect(settingsOf(Object.fromEntries(own.map((name) => [name, 'x'])), home)).toEqual({ CASEWAY_HOME: '/home/caseway' })
})
