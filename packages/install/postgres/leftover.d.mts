export function endLeftoverServer(dataDir: string): Promise<void>
export function isAlive(pid: number): boolean
