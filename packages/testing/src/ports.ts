import { once } from 'node:events'
import { connect } from 'node:net'

/** Resolves when something listens at the port of this machine. */
export async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
