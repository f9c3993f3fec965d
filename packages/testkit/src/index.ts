/**
 * Tests for an adapter: contracts and laws as plain cases, a runner for single cases, and samples.
 * `@verbatim/testkit/contracts` has the same contracts as Vitest suites.
 */
export * as Contract from "./contracts/Contract.ts"
export { contract as audioDecoder } from "./contracts/cases/AudioDecoderCases.ts"
export { contract as correctionStore } from "./contracts/cases/CorrectionStoreCases.ts"
export { contract as jobStore } from "./contracts/cases/jobs/JobStoreCases.ts"
export { contract as operatorKeyStore } from "./contracts/cases/KeyCases.ts"
export { contract as mediaFetcher } from "./contracts/cases/MediaFetcherCases.ts"
export { contract as mediaStore } from "./contracts/cases/MediaStoreCases.ts"
export { contract as presetStore } from "./contracts/cases/presets/PresetStoreCases.ts"
export { contract as rateLimiterStore } from "./contracts/cases/RateLimiterStoreCases.ts"
export { contract as retentionStore } from "./contracts/cases/RetentionStoreCases.ts"
export { contract as summarizer } from "./contracts/cases/SummarizerCases.ts"
export { contract as transcriber } from "./contracts/cases/TranscriberCases.ts"
export { contract as webhookSender } from "./contracts/cases/WebhookSenderCases.ts"
export { contract as workerRegistry } from "./contracts/cases/WorkerRegistryCases.ts"
export { contract as workQueue } from "./contracts/cases/WorkQueueCases.ts"
export { contract as workspaceStore } from "./contracts/cases/WorkspaceStoreCases.ts"
export * as Simulation from "./simulation/Simulation.ts"
