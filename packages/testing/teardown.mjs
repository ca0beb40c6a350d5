export default async function teardown() {
  await globalThis.casewayTestCluster?.stop()
}
