import { dnsServers, flag, pemFile } from '@caseway/kit/config'

/** The variables of mailboxes and of the connections to their servers. */
export const mailServerVariables = {
  MASK_MAIL_PASSWORDS: flag({ default: false, shared: true, help: 'Do not show the password of a mailbox, not even to its owner' }),
  DNS_SERVERS: dnsServers({
    default: [],
    help: 'DNS servers for the SPF, DKIM and DMARC records of senders; without any, those of the system',
  }),
  CA_FILE: pemFile({
    optional: true,
    help: 'Certificates of authorities that are trusted for mail servers, in addition to those that Node.js trusts',
  }),
}
