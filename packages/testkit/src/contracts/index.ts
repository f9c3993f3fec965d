/**
 * The contracts for all ports as Vitest suites. An adapter is complete once its suite passes. A
 * store's layer includes the other stores in its database, and an engine's layer a `FileSystem`.
 */
import type { Stores } from "@verbatim/core/ports"
import { contract as audioDecoder } from "./cases/AudioDecoderCases.ts"
import { contract as correctionStore } from "./cases/CorrectionStoreCases.ts"
import { contract as jobStore } from "./cases/jobs/JobStoreCases.ts"
import { contract as operatorKeyStore } from "./cases/KeyCases.ts"
import { contract as mediaFetcher } from "./cases/MediaFetcherCases.ts"
import { contract as mediaStore } from "./cases/MediaStoreCases.ts"
import { contract as presetStore } from "./cases/presets/PresetStoreCases.ts"
import { contract as rateLimiterStore } from "./cases/RateLimiterStoreCases.ts"
import { contract as retentionStore } from "./cases/RetentionStoreCases.ts"
import { contract as summarizer } from "./cases/SummarizerCases.ts"
import { Speech, skipPieces, contract as transcriber } from "./cases/TranscriberCases.ts"
import { contract as webhookSender } from "./cases/WebhookSenderCases.ts"
import { contract as workerRegistry } from "./cases/WorkerRegistryCases.ts"
import { contract as workQueue } from "./cases/WorkQueueCases.ts"
import { contract as workspaceStore } from "./cases/WorkspaceStoreCases.ts"
import { suiteOf, suitesOf } from "./Vitest.ts"

export { clientCases } from "./ClientCases.ts"
export { type Arrived, Receivers } from "./cases/WebhookSenderCases.ts"
export type { Options, Skip, Suite } from "./Vitest.ts"

export const AudioDecoderContract = { suite: suiteOf(audioDecoder) }

export const CorrectionStoreContract = { suite: suiteOf(correctionStore) }

export const JobStoreContract = { suite: suiteOf(jobStore) }

/** The contract for `MediaFetcher`, with the test's `MediaHosts`. */
export const MediaFetcherContract = { suite: suiteOf(mediaFetcher) }

export const MediaStoreContract = { suite: suiteOf(mediaStore) }

export const OperatorKeyStoreContract = { suite: suiteOf(operatorKeyStore) }

export const PresetStoreContract = { suite: suiteOf(presetStore) }

export const RateLimiterStoreContract = { suite: suiteOf(rateLimiterStore) }

export const RetentionStoreContract = { suite: suiteOf(retentionStore) }

export const SummarizerContract = { suite: suiteOf(summarizer) }

/** The contract for `Transcriber`, with the test's `Speech`, which the engine can recognise. */
export const TranscriberContract = { Speech, skipPieces, suite: suiteOf(transcriber) }

/** The contract for `WebhookSender`, with the test's `Receivers`. */
export const WebhookSenderContract = { suite: suiteOf(webhookSender) }

export const WorkerRegistryContract = { suite: suiteOf(workerRegistry) }

export const WorkQueueContract = { suite: suiteOf(workQueue) }

export const WorkspaceStoreContract = { suite: suiteOf(workspaceStore) }

/** The contracts for all stores in one database, registered with one call. */
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
