/**
 * The contracts of all ports as suites of Vitest: an adapter is done when its suite passes. The
 * layer of a store brings the other stores of its database, that of an engine a `FileSystem`.
 */
import type { Stores } from "@verbatim/core/ports"
import { contract as audioDecoder } from "./cases/AudioDecoderCases.ts"
import { contract as correctionStore } from "./cases/CorrectionStoreCases.ts"
import { contract as jobStore } from "./cases/jobs/JobStoreCases.ts"
import { contract as mediaFetcher } from "./cases/MediaFetcherCases.ts"
import { contract as mediaStore } from "./cases/MediaStoreCases.ts"
import { contract as operatorKeyStore } from "./cases/OperatorKeyStoreCases.ts"
import { contract as presetStore } from "./cases/presets/PresetStoreCases.ts"
import { contract as rateLimiterStore } from "./cases/RateLimiterStoreCases.ts"
import { contract as retentionStore } from "./cases/RetentionStoreCases.ts"
import { contract as summarizer } from "./cases/SummarizerCases.ts"
import { Speech, contract as transcriber } from "./cases/TranscriberCases.ts"
import { contract as webhookSender } from "./cases/WebhookSenderCases.ts"
import { contract as workerRegistry } from "./cases/WorkerRegistryCases.ts"
import { contract as workQueue } from "./cases/WorkQueueCases.ts"
import { contract as workspaceStore } from "./cases/WorkspaceStoreCases.ts"
import { suiteOf, suitesOf } from "./Vitest.ts"

export { clientCases } from "./ClientCases.ts"
export { type Arrived, Receivers } from "./cases/WebhookSenderCases.ts"
export type { Options, Skip, Suite } from "./Vitest.ts"

/** What every `AudioDecoder` must do. */
export const AudioDecoderContract = { suite: suiteOf(audioDecoder) }

/** What every `CorrectionStore` must do. */
export const CorrectionStoreContract = { suite: suiteOf(correctionStore) }

/** What every `JobStore` must do. */
export const JobStoreContract = { suite: suiteOf(jobStore) }

/** What every `MediaFetcher` must do, at the `MediaHosts` that the test adds. */
export const MediaFetcherContract = { suite: suiteOf(mediaFetcher) }

/** What every `MediaStore` must do. */
export const MediaStoreContract = { suite: suiteOf(mediaStore) }

/** What every `OperatorKeyStore` must do. */
export const OperatorKeyStoreContract = { suite: suiteOf(operatorKeyStore) }

/** What every `PresetStore` must do. */
export const PresetStoreContract = { suite: suiteOf(presetStore) }

/** What every `RateLimiterStore` must do. */
export const RateLimiterStoreContract = { suite: suiteOf(rateLimiterStore) }

/** What every `RetentionStore` must do. */
export const RetentionStoreContract = { suite: suiteOf(retentionStore) }

/** What every `Summarizer` must do. */
export const SummarizerContract = { suite: suiteOf(summarizer) }

/** What every `Transcriber` must do; the test adds the `Speech` that it can recognise. */
export const TranscriberContract = { Speech, suite: suiteOf(transcriber) }

/** What every `WebhookSender` must do, with the `Receivers` that the test adds. */
export const WebhookSenderContract = { suite: suiteOf(webhookSender) }

/** What every `WorkerRegistry` must do. */
export const WorkerRegistryContract = { suite: suiteOf(workerRegistry) }

/** What every `WorkQueue` must do. */
export const WorkQueueContract = { suite: suiteOf(workQueue) }

/** What every `WorkspaceStore` must do. */
export const WorkspaceStoreContract = { suite: suiteOf(workspaceStore) }

/** What a database that serves every store must do: the contracts of all of them in one call. */
export const StoreContracts = {
  suite: suitesOf<Stores>([
    correctionStore,
    jobStore,
    operatorKeyStore,
    presetStore,
    rateLimiterStore,
    retentionStore,
    workerRegistry,
    workQueue,
    workspaceStore
  ])
}
