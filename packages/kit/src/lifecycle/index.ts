export { defaultStopTimeoutMs, type Lifecycle, type LifecycleOptions, lifecycle, type Part } from './lifecycle.js'
export { stopOnSignals } from './signals.js'
