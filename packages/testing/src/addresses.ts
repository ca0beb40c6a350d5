/** Where browsers reach a service of a test, by its configuration. */
export const expertUrl = 'https://expert.example.test'
export const clientUrl = 'https://client.example.test'
