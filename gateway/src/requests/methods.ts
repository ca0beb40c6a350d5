/** What is passed on. The services say themselves which of these a resource has; a preflight is none of them. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
