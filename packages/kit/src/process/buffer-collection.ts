import { setFlagsFromString } from 'node:v8'

/**
 * For a process through which large bodies go, before it begins. V8 runs a full collection after every 64 MiB of new buffers, whatever its heap is: at
 * 130 MB/s two or three a second, which took more time than the bodies. With this flag of V8 (`node --v8-options`) buffers count as the objects of
 * the heap do, so that collections become fewer as the process grows, and the process may hold some dozens of MiB more of buffers that nobody uses.
 */
export function collectBuffersWithHeap(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}
