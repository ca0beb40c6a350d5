import { resealColumns } from '@caseway/kit/database'
import { rememberedRights } from '@caseway/kit/rights'
import { createSecrets } from '@caseway/kit/secrets'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedOffices } from '@caseway/people'
import { wireAccountingPlatform } from './accounting-platform/accounting-platform.wiring.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { wireIntegrations } from './integrations/integrations.wiring.js'
import { wirePartnerClientData } from './partner-client-data/partner-client-data.wiring.js'
import { tables } from './tables.js'
import { resumeSending } from './webhook-deliveries/delivery-queue.repository.js'
import { wireWebhookDeliveries } from './webhook-deliveries/webhook-deliveries.wiring.js'
import { webhookDocument } from './webhook-events/webhook-document.js'
import { wireWebhooks } from './webhooks/webhooks.wiring.js'

export const partner = defineService({
  name: 'partner',
  config,
  client: PrismaClient,
  tables,

  /** Connects the modules. */
  wire({ db, config, peer, onClose, log, metrics }) {
    const auth = authDirectory({ peer, onClose })
    const secrets = createSecrets('partner', config)
    const platform = wireAccountingPlatform({ config, metrics, onClose })
    const integrations = wireIntegrations(db, { platform, secrets })
    const offices = copiedOffices(db, auth, config.defaultTimeZone, { onDeleted: integrations.onOfficeDeleted })
    const { webhooks, sender, ...ofWebhooks } = wireWebhooks(db, { secrets, config, metrics, onChange: resumeSending, onClose })
    const shownRecords = { own: [integrations.shown], zoneOf: offices.timeZoneOf }
    const deliveries = wireWebhookDeliveries(db, { webhooks, sender, ...shownRecords, peer, onClose, log })
    const clientData = wirePartnerClientData(db, { config, peer, onClose, log, metrics })

    return {
      sealed: [...integrations.sealed, ...ofWebhooks.sealed],
      parts: [clientData.part],
      routes: { expert: [integrations.routes, clientData.routes, ofWebhooks.routes, deliveries.routes], client: [] },
      webhooks: webhookDocument,
      timeZoneOf: offices.timeZoneOf,
      hasRight: rememberedRights(auth.rightsOf),
      consumers: deliveries.consumers,
      copies: [offices.copy],
      jobs: [...integrations.jobs, clientData.job, ...deliveries.jobs],
      retention: [...integrations.retention, ...clientData.retention, ...deliveries.retention],
      administration: {
        integrations: integrations.administration,
        unfinishedClientDataChanges: clientData.unfinished,
        webhookStates: ofWebhooks.states,
        /** Encrypts values of previous secrets with the present one. */
        reseal: async () => ({
          tokens: await resealColumns(db, integrations.sealed),
          webhooks: await resealColumns(db, ofWebhooks.sealed),
        }),
      },
    }
  },
})
