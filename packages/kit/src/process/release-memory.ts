import { Session } from 'node:inspector/promises'

/**
 * Returns memory that only the start of the process needed to the system: about a fifth. V8 would keep it until much more was allocated, which takes hours in
 * an idle process. Blocks the event loop for about a tenth of a second.
 */
export async function releaseStartMemory(): Promise<void> {
  const session = new Session()
  session.connect()
  // V8 handles this as a low-memory notification, which also shrinks the young generation (v8.dev/docs, `Isolate::LowMemoryNotification`).
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
