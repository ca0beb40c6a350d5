import type { Demo } from './demo/demo-file.js'

/** The text that `npm start` prints when everything runs. */
export function welcome(demo: Demo, { home, seconds, scanner }: { home: string; seconds: number; scanner: string }): string {
  const offices = demo.offices.map(
    ({ name, time_zone, accounts, technical }) => `
  ${name} (${time_zone})
${Object.entries(accounts)
  .map(([role, { username, password }]) => row(role, username, password))
  .join('\n')}
${row('technical', technical.client_id, technical.client_secret)}`,
  )
  const clients = demo.clients.map(({ username, password }) => row('client', username, password))
  return `
Caseway is ready (${seconds.toFixed(1)} s).

  Experts    ${demo.base_url}   ${demo.base_url}/docs
  Clients    ${demo.client_base_url}   ${demo.client_base_url}/docs
  Metrics    ${demo.metrics_url}

  Open ${demo.base_url} in a browser and sign in as one of these:
${offices.join('\n')}

  Accounts of clients, for ${demo.client_base_url}:
${clients.join('\n')}

  The first call, to paste into another terminal:

${firstCall(demo)}

  All of this is also in ${home}/demo.json; the log is ${home}/caseway.log. Without AUTH_SMTP_URL,
  mails about accounts are written to ${home}/mails, and their links are printed here.
  ${scanner}
  Ctrl-C stops everything. The data stay in ${home}; delete that folder for a fresh start.
`
}

const row = (role: string, username: string, password: string) => `    ${role.padEnd(15)}${username.padEnd(34)}${password}`

/** A shell command, with curl and sed, that signs in and reads the counters. */
function firstCall({ base_url, client_id, offices: [office] }: Demo): string {
  const account = office?.accounts.expert
  const body = JSON.stringify({ grant_type: 'password', client_id, username: account?.username, password: account?.password })
  return `token=$(curl -s ${base_url}/rest/token -H 'content-type: application/json' -d '${body}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${base_url}/rest/counter -H "authorization: Bearer $token"; echo`
}
