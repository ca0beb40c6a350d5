/** The public URLs in the configuration of a service under test. */
export const expertUrl = 'https://expert.example.test'
export const clientUrl = 'https://client.example.test'
