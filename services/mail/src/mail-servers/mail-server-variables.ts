import { dnsServers, flag, pemFile } from '@caseway/kit/config'

/** The variables of mailboxes and of the connections to their servers. */
export const mailServerVariables = {
  MASK_MAIL_PASSWORDS: flag({ default: false, shared: true, help: 'Show the password of a mailbox to nobody, not even to its owner' }),
  DNS_SERVERS: dnsServers({
    default: [],
    help: 'DNS servers that are asked for SPF, DKIM and DMARC of senders; none: those of the system',
  }),
  CA_FILE: pemFile({
    optional: true,
    help: 'Certificates of authorities that are trusted for mail servers, beside those that Node.js trusts',
  }),
}
