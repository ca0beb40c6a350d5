/** The methods that are forwarded; the service decides which of them a resource has. OPTIONS is not one of them. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
