/**
 * The contracts of all ports as suites of Vitest. An adapter is done when its suite passes.
 */

export * as AudioDecoderContract from "./AudioDecoderContract.ts"
export { type Arrived, Receivers } from "./cases/WebhookSenderCases.ts"
export * as JobStoreContract from "./JobStoreContract.ts"
export * as MediaFetcherContract from "./MediaFetcherContract.ts"
export * as MediaStoreContract from "./MediaStoreContract.ts"
export * as OperatorKeyStoreContract from "./OperatorKeyStoreContract.ts"
export * as PresetStoreContract from "./PresetStoreContract.ts"
export * as RateLimiterStoreContract from "./RateLimiterStoreContract.ts"
export * as RetentionStoreContract from "./RetentionStoreContract.ts"
export * as StoreContracts from "./StoreContracts.ts"
export * as SummarizerContract from "./SummarizerContract.ts"
export * as TranscriberContract from "./TranscriberContract.ts"
export type { Options, Skip, Suite } from "./Vitest.ts"
export * as WebhookSenderContract from "./WebhookSenderContract.ts"
export * as WorkerRegistryContract from "./WorkerRegistryContract.ts"
export * as WorkQueueContract from "./WorkQueueContract.ts"
export * as WorkspaceStoreContract from "./WorkspaceStoreContract.ts"
