/** `node packages/verify/manifests.mjs` writes the bases of deploy/kubernetes from what the built code declares. */
import { writeManifests } from './checks/manifests.mjs'

await writeManifests()
