import { platform } from '@caseway/kit/database'
import { recordEncoder } from '@caseway/kit/http'
import { createSecrets } from '@caseway/kit/secrets'
import { defineService } from '@caseway/kit/service'
import { SessionServiceService } from '@caseway/protos/auth/v1/sessions'
import { SnapshotServiceService } from '@caseway/protos/auth/v1/snapshot'
import { callersOf } from '@caseway/registry'
import { wireAccountMails } from './account-mails/account-mails.wiring.js'
import { accountRepository } from './accounts/account.repository.js'
import { accountService } from './accounts/account.service.js'
import { administration } from './administration/administration.service.js'
import { applicationRepository } from './applications/application.repository.js'
import { applicationService } from './applications/application.service.js'
import { wireAudit } from './audit/audit.wiring.js'
import { wireClientData } from './client-data/client-data.wiring.js'
import { wireClients } from './clients/clients.wiring.js'
import { config } from './config.js'
import { customerRepository } from './customers/customer.repository.js'
import { customerRoutes } from './customers/customer.routes.js'
import { customerService } from './customers/customer.service.js'
import { officeDeletion } from './customers/office-deletion.job.js'
import { PrismaClient } from './generated/client.js'
import { wireGroups } from './groups/groups.wiring.js'
import { keyRepository } from './keys/key.repository.js'
import { keyRoutes } from './keys/key.routes.js'
import { keyRing } from './keys/key-ring.service.js'
import { keyRotation } from './keys/key-rotation.job.js'
import { wireLimits } from './limits/limits.wiring.js'
import { wireMailedLinks } from './mailed-links/mailed-links.wiring.js'
import { officeImportRepository } from './office-imports/office-import.repository.js'
import { officeImportService } from './office-imports/office-import.service.js'
import { argon2PasswordHasher } from './passwords/argon2-password-hasher.client.js'
import { ownPasswordService } from './passwords/own-password.service.js'
import { wireRecords } from './records.wiring.js'
import { wireRoles } from './roles/roles.wiring.js'
import { userRoleResource } from './roles/user-role.resource.js'
import { wireSecondFactors } from './second-factors/second-factors.wiring.js'
import { sessionRepository } from './sessions/session.repository.js'
import { sessionService } from './sessions/session.service.js'
import { sessionRetention } from './sessions/session-retention.js'
import { sessionsGrpc } from './sessions/sessions.grpc.js'
import { snapshotGrpc } from './snapshot/snapshot.grpc.js'
import { snapshotRepository } from './snapshot/snapshot.repository.js'
import { snapshotService } from './snapshot/snapshot.service.js'
import { tables } from './tables.js'
import { tokenSettings } from './tokens/token-settings.js'
import { wireTokens } from './tokens/tokens.wiring.js'
import { wireUsers } from './users/users.wiring.js'

export const auth = defineService({
  name: 'auth',
  config,
  client: PrismaClient,
  tables,

  async wire({ db, config, onClose, log, metrics }) {
    const settings = tokenSettings(config)
    const { accessTokenMs, rotationMs } = settings
    const secrets = createSecrets('auth', config)
    const hasher = await argon2PasswordHasher({ concurrency: config.passwordConcurrency, maxWaiting: config.passwordQueue, log })
    const limits = wireLimits({ ...config, log, metrics })
    onClose('limits', limits.close)

    const trail = wireAudit(db, { log, metrics, zone: config.defaultTimeZone })
    const { audit } = trail
    const ring = keyRing({ keys: keyRepository(db, secrets.sealer('signing-keys')), rotationMs, accessTokenMs, log })
    const sessions = sessionService(sessionRepository(db, accessTokenMs))
    const accounts = accountService(accountRepository(db), hasher, sessions)
    const { links, ...ofLinks } = wireMailedLinks(db, { accounts, secrets })
    const { mails, ...ofMails } = wireAccountMails(db, config, { links, limit: limits.accountMails, log, metrics })
    const applications = applicationService(applicationRepository(db), sessions)
    const { roles, rights, ...ofRoles } = wireRoles(db, { sessions, audit })
    const ofAccounts = { accounts, sessions, rights, hasher, audit, mails }
    const ownPasswords = ownPasswordService({ accounts, hasher, failures: limits.loginFailures, audit })
    const failures = limits.loginFailures
    const { secondFactors, ...ofSecondFactors } = wireSecondFactors(db, { ...ofAccounts, secrets, ownPasswords, failures })
    const { users, ...ofUsers } = wireUsers(db, { ...ofAccounts, roles, ownPasswords, secondFactors })
    const customers = customerService(customerRepository(db), { roles, users, sessions, audit, fallbackZone: config.defaultTimeZone })
    const { officeRequests } = limits
    const imports = officeImportService(officeImportRepository(db), { customers, mails, audit })
    const { clients, erasures, officesOfClient, ...ofClients } = wireClients(db, { ...ofAccounts, customers, ownPasswords, officeRequests })
    const clientData = wireClientData(db, officesOfClient, ofAccounts)
    const linkRoutes = ofLinks.routesOf({ ...ofAccounts, users, clients, failures }, limits.mailedLinkRequests)
    const encodeRole = recordEncoder(userRoleResource)
    const tokens = wireTokens(db, { ...ofAccounts, secondFactors, settings, applications, ring, secrets, limits, encodeRole, log, metrics })
    const together = <T>(work: () => Promise<T>) => db.write(platform, () => work())

    return {
      keys: ring.keySet,
      parts: [{ name: 'signing keys', start: () => ring.start(), stop: () => ring.stop() }],
      routes: {
        expert: [
          tokens.routes,
          linkRoutes,
          ...ofUsers.routes,
          ofSecondFactors.routes.expert,
          ...ofRoles.routes,
          ...wireGroups(db).routes,
          customerRoutes(customers),
          ...ofClients.routes.expert,
          trail.routes,
        ],
        client: [tokens.routes, linkRoutes, ...ofClients.routes.client, ofSecondFactors.routes.client],
        unprotected: [keyRoutes(ring)],
      },
      timeZoneOf: customers.timeZoneOf,
      onRefused: trail.onRefused,
      hasRight: rights.has,
      grpc: {
        callers: callersOf('auth'),
        services: [
          ofUsers.grpc,
          ofRoles.grpc,
          clientData.grpc,
          wireRecords(db, customers),
          [SessionServiceService, sessionsGrpc(sessions)],
          [SnapshotServiceService, snapshotGrpc(snapshotService(snapshotRepository(db)))],
        ],
      },
      consumers: [trail.consumer],
      retention: [...sessionRetention(accessTokenMs), ...tokens.retention, ...ofLinks.retention, ...clientData.retention],
      jobs: [keyRotation(ring), officeDeletion(customers), trail.job, ofMails.job],
      administration: administration({
        customers,
        imports,
        users,
        clients,
        erasures,
        accounts,
        secondFactors,
        applications,
        ring,
        audit,
        together,
      }),
    }
  },
})
