interface Configuration {
  readonly folder: string
  readonly ports: Readonly<Record<string, number>>
  readonly certificate: { readonly certFile: string; readonly keyFile: string }
  readonly password: string
  readonly mailUser: { readonly uid: number; readonly gid: number }
  readonly settings: string
}

/** The text of dovecot.conf(5). Dovecot writes only below the folder. */
export const configurationOf = ({ folder, ports, certificate, password, mailUser, settings }: Configuration): string => `
protocols = imap pop3
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
# Tests talk to it with and without TLS, on purpose.
disable_plaintext_auth = no
ssl = yes
ssl_cert = <${certificate.certFile}
ssl_key = <${certificate.keyFile}

auth_mechanisms = plain login
auth_failure_delay = 0
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${mailUser.uid} gid=${mailUser.gid} home=${folder}/mail/%Lu
}
first_valid_uid = 1

mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 200
imap_idle_notify_interval = 30s

namespace inbox {
  inbox = yes
  separator = /
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
  mailbox Sent {
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Trash {
    special_use = \\Trash
    auto = subscribe
  }
  mailbox Junk {
    special_use = \\Junk
    auto = subscribe
  }
}

service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service pop3-login {
  inet_listener pop3 {
    port = ${ports.pop3}
  }
  inet_listener pop3s {
    port = ${ports.pop3s}
    ssl = yes
  }
}
${settings}
`

/** Additional configuration for OAuth 2.0 tokens. */
export const oauthConfigurationOf = (file: string): string => `
auth_mechanisms = $auth_mechanisms xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${file}
}
`

/** Configuration of the endpoint that verifies tokens. */
export const tokenConfigurationOf = (tokenInfoUrl: string): string => `
introspection_mode = auth
introspection_url = ${tokenInfoUrl}
username_attribute = username
active_attribute = active
active_value = true
`
