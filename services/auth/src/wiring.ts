import { platform } from '@caseway/kit/database'
import { createSecrets } from '@caseway/kit/secrets'
import { defineService } from '@caseway/kit/service'
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
import { wireCustomers } from './customers/customers.wiring.js'
import { PrismaClient } from './generated/client.js'
import { wireGroups } from './groups/groups.wiring.js'
import { wireKeys } from './keys/keys.wiring.js'
import { wireLimits } from './limits/limits.wiring.js'
import { wireMailedLinks } from './mailed-links/mailed-links.wiring.js'
import { officeImportRepository } from './office-imports/office-import.repository.js'
import { officeImportService } from './office-imports/office-import.service.js'
import { argon2PasswordHasher } from './passwords/argon2-password-hasher.client.js'
import { ownPasswordService } from './passwords/own-password.service.js'
import { wireRecords } from './records.wiring.js'
import { wireRoles } from './roles/roles.wiring.js'
import { wireSecondFactors } from './second-factors/second-factors.wiring.js'
import { wireSessions } from './sessions/sessions.wiring.js'
import { wireSnapshot } from './snapshot/snapshot.wiring.js'
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
    const secrets = createSecrets('auth', config)
    const hasher = await argon2PasswordHasher({ concurrency: config.passwordConcurrency, maxWaiting: config.passwordQueue, log })
    const limits = wireLimits({ ...config, log, metrics })
    onClose('limits', limits.close)
    const { loginFailures: failures, officeRequests } = limits

    const { audit, ...ofAudit } = wireAudit(db, { log, metrics, zone: config.defaultTimeZone })
    const { ring, ...ofKeys } = wireKeys(db, { ...settings, secrets, log })
    const { sessions, ...ofSessions } = wireSessions(db, settings.accessTokenMs)
    const accounts = accountService(accountRepository(db), hasher, sessions)
    const { links, ...ofLinks } = wireMailedLinks(db, { accounts, secrets })
    const { mails, ...ofMails } = wireAccountMails(db, config, { links, limit: limits.accountMails, log, metrics })
    const applications = applicationService(applicationRepository(db), sessions)
    const { roles, rights, encodeRole, ...ofRoles } = wireRoles(db, { sessions, audit })
    const ofAccounts = { accounts, sessions, rights, hasher, audit, mails }
    const ownPasswords = ownPasswordService({ accounts, hasher, failures, audit })
    const { secondFactors, ...ofSecondFactors } = wireSecondFactors(db, { ...ofAccounts, secrets, ownPasswords, failures })
    const { users, ...ofUsers } = wireUsers(db, { ...ofAccounts, roles, ownPasswords, secondFactors })
    const { customers, ...ofCustomers } = wireCustomers(db, { roles, users, sessions, audit, fallbackZone: config.defaultTimeZone })
    const imports = officeImportService(officeImportRepository(db), { customers, mails, audit })
    const { clients, erasures, officesOfClient, ...ofClients } = wireClients(db, { ...ofAccounts, customers, ownPasswords, officeRequests })
    const clientData = wireClientData(db, officesOfClient, ofAccounts)
    const linkRoutes = ofLinks.routesOf({ ...ofAccounts, users, clients, failures }, limits.mailedLinkRequests)
    const tokens = wireTokens(db, { ...ofAccounts, secondFactors, settings, applications, ring, secrets, limits, encodeRole, log, metrics })
    const together = <T>(work: () => Promise<T>) => db.write(platform, () => work())

    return {
      keys: ring.keySet,
      parts: [ofKeys.part],
      routes: {
        expert: [
          tokens.routes,
          linkRoutes,
          ...ofUsers.routes,
          ofSecondFactors.routes.expert,
          ...ofRoles.routes,
          ...wireGroups(db).routes,
          ofCustomers.routes,
          ...ofClients.routes.expert,
          ofAudit.routes,
        ],
        client: [tokens.routes, linkRoutes, ...ofClients.routes.client, ofSecondFactors.routes.client],
        unprotected: [ofKeys.routes],
      },
      timeZoneOf: customers.timeZoneOf,
      onRefused: ofAudit.onRefused,
      hasRight: rights.has,
      grpc: {
        callers: callersOf('auth'),
        services: [ofUsers.grpc, ofRoles.grpc, clientData.grpc, wireRecords(db, customers), ofSessions.grpc, wireSnapshot(db)],
      },
      consumers: [ofAudit.consumer],
      retention: [...ofSessions.retention, ...tokens.retention, ...ofLinks.retention, ...clientData.retention],
      jobs: [ofKeys.job, ofCustomers.job, ofAudit.job, ofMails.job],
      administration: administration({
        ...ofAccounts,
        customers,
        imports,
        users,
        clients,
        erasures,
        secondFactors,
        applications,
        ring,
        together,
      }),
    }
  },
})
