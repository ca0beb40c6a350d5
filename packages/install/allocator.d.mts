export function allocatorVariables(): Readonly<Record<string, string>>
