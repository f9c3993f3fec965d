/**
 * The contracts for all ports as Vitest suites. An adapter is complete once its suite passes. A
 * store's layer includes the other stores in its database, and an engine's layer includes a
 * `FileSystem`.
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

/** Titles of cases, grouped by the mistakes that a database client can make. */
export const clientCases: Readonly<Record<string, ReadonlyArray<string>>> = {
  /**
   * Cases that check how values are encoded: large numbers, JSON, strings, nulls and timestamps.
   */
  values: [
    "keeps a job unchanged in every state",
    "keeps every text in a request unchanged",
    "keeps a transcript of 20 MB",
    "keeps the peaks of short and long transcripts",
    "lists exactly the jobs that match all filters, highest id first, page by page",
    "sums amounts larger than 32 bits exactly",
    "keeps large balances exact",
    "keeps a key's name, holder, scopes, limits and expiry",
    "keeps every JSON value unchanged",
    "keeps every digit of a number when a page of versions contains several configurations",
    "lists and counts only the presets that have a given label or contain a given text",
    "keeps corrections to every segment of a ten-hour transcript",
    "returns how much of the next token has been refilled",
    "keeps a worker's last heartbeat, and the time of its first heartbeat"
  ],
  /** Cases that check whether a refused transaction is rolled back completely. */
  transactions: [
    "refuses to insert an existing id, and changes nothing",
    "refuses a commit based on an outdated revision, and writes nothing",
    "writes nothing when it refuses a job beyond the limit",
    "refuses an unknown workspace, and writes nothing",
    "refuses to erase a version when the preset has changed",
    "refuses to create a first workspace when one exists, and writes nothing",
    "refuses to rotate a key that is revoked, unknown, or from another workspace",
    "refuses a version that is based on an outdated version, and writes nothing",
    "removes only the given jobs and all their rows except their charges"
  ],
  /** Cases that check whether callers with shared sessions each get their own answer. */
  sessions: [
    "gives each of many concurrent commits to one job its own answer",
    "gives each of many concurrent requests its own answer, with and without keys",
    "books every one of many concurrent charges and credits",
    "accepts exactly the allowed number of unfinished jobs from many concurrent inserts",
    "places every new commit after all commits already read, even with concurrent writers",
    "gives 64 concurrent writers to a new slug one preset with versions 1 to 64",
    "rotates a key once when the same rotation is repeated concurrently",
    "hands out each job to only one of many concurrent claims",
    "lets either a removal or a concurrent commit on the same revision win",
    "grants many concurrent calls exactly the tokens that a bucket holds",
    "adds an operator key once, unchanged, and refuses another key with the same hash"
  ]
}
