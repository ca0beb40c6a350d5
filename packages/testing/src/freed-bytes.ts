/** The number of bytes of buffers that `free` of the kit returns during `work`, without a garbage collection. */
export async function freedBytes(work: () => Promise<unknown>): Promise<number> {
  const { transfer } = ArrayBuffer.prototype
  let freed = 0
  ArrayBuffer.prototype.transfer = function (this: ArrayBuffer, newLength?: number) {
    freed += this.byteLength
    return transfer.call(this, newLength)
  }
  try {
    await work()
  } finally {
    ArrayBuffer.prototype.transfer = transfer
  }
  return freed
}
