import { once } from 'node:events'
import { connect } from 'node:net'

/** Resolves when the local port accepts connections. */
export async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
