/** How many bytes of buffers are given back during `work` without a garbage collection, by `free` of the kit. */
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
