import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { type Contract, findBroken, run } from "#src/contracts/Contract"
import { contract as audioDecoder } from "#src/contracts/cases/AudioDecoderCases"
import { contract as correctionStore } from "#src/contracts/cases/corrections/CorrectionStoreCases"
import { contract as jobStore } from "#src/contracts/cases/jobs/JobStoreCases"
import { contract as mediaFetcher } from "#src/contracts/cases/media/MediaFetcherCases"
import { contract as mediaStore } from "#src/contracts/cases/media/MediaStoreCases"
import { contract as presetStore } from "#src/contracts/cases/presets/PresetStoreCases"
import { contract as workQueue } from "#src/contracts/cases/queue/WorkQueueCases"
import { contract as rateLimiterStore } from "#src/contracts/cases/RateLimiterStoreCases"
import { contract as retentionStore } from "#src/contracts/cases/retention/RetentionStoreCases"
import { contract as summarizer } from "#src/contracts/cases/SummarizerCases"
import { contract as transcriber } from "#src/contracts/cases/TranscriberCases"
import { contract as webhookSender } from "#src/contracts/cases/WebhookSenderCases"
import { contract as workerRegistry } from "#src/contracts/cases/WorkerRegistryCases"
import { contract as operatorKeyStore } from "#src/contracts/cases/workspaces/OperatorKeyStoreCases"
import { contract as workspaceStore } from "#src/contracts/cases/workspaces/WorkspaceStoreCases"
import { chooseCases } from "#src/laws/Runs"
import { correctionStoreFaults } from "./faults/CorrectionStoreFaults.ts"
import {
  audioDecoderFaults,
  soundDecoder,
  soundSummarizer,
  summarizerFaults
} from "./faults/EngineFaults.ts"
import { caseOf, type Fault, sound } from "./faults/Fault.ts"
import { jobBesideFaults } from "./faults/JobBesideFaults.ts"
import { jobChangeFaults } from "./faults/JobChangeFaults.ts"
import { jobListFaults } from "./faults/JobListFaults.ts"
import { jobStoreFaults } from "./faults/JobStoreFaults.ts"
import { chargeFaults, ledgerFaults } from "./faults/LedgerFaults.ts"
import { mediaFetcherFaults, soundMediaFetcher } from "./faults/MediaFetcherFaults.ts"
import { mediaStoreFaults, soundMediaStore } from "./faults/MediaStoreFaults.ts"
import { operatorKeyStoreFaults } from "./faults/OperatorKeyStoreFaults.ts"
import { peakFaults } from "./faults/PeakFaults.ts"
import { presetConditionFaults } from "./faults/PresetConditionFaults.ts"
import { presetHousekeepingFaults } from "./faults/PresetHousekeepingFaults.ts"
import { presetKeyFaults } from "./faults/PresetKeyFaults.ts"
import { presetLabelFaults } from "./faults/PresetLabelFaults.ts"
import { presetListFaults } from "./faults/PresetListFaults.ts"
import { presetRevisionFaults } from "./faults/PresetRevisionFaults.ts"
import { presetStoreFaults } from "./faults/PresetStoreFaults.ts"
import { rateLimiterStoreFaults } from "./faults/RateLimiterStoreFaults.ts"
import { retentionStoreFaults } from "./faults/RetentionStoreFaults.ts"
import { roomFaults } from "./faults/RoomFaults.ts"
import { sharedWriteFaults } from "./faults/SharedWriteFaults.ts"
import { soundTranscriber, transcriberFaults } from "./faults/TranscriberFaults.ts"
import { transcriptPartFaults } from "./faults/TranscriptPartFaults.ts"
import { usageFaults } from "./faults/UsageFaults.ts"
import { soundWebhookSender, webhookSenderFaults } from "./faults/WebhookSenderFaults.ts"
import { workerRegistryFaults } from "./faults/WorkerRegistryFaults.ts"
import { workQueueFaults } from "./faults/WorkQueueFaults.ts"
import { workQueueOwedFaults } from "./faults/WorkQueueOwedFaults.ts"
import { workQueueTurnFaults } from "./faults/WorkQueueTurnFaults.ts"
import { workspaceKeyFaults } from "./faults/WorkspaceKeyFaults.ts"
import { workspaceStoreFaults } from "./faults/WorkspaceStoreFaults.ts"
import { workspaceTenantFaults } from "./faults/WorkspaceTenantFaults.ts"

/** A contract, an adapter that keeps it, and adapters that do not: a third of them each time. */
const rejects = <Ports, Offered>(
  contract: Contract<Ports>,
  {
    faults,
    sound
  }: {
    readonly faults: ReadonlyArray<Fault<Ports | Offered>>
    readonly sound: Layer.Layer<Ports | Offered, unknown>
  }
) =>
  describe(`The contract of ${contract.port}`, () => {
    it.live("accepts an adapter without faults", () =>
      Effect.map(findBroken(contract, { layer: sound }), (found) =>
        assert.deepStrictEqual(
          found.map(({ title }) => title),
          []
        )
      )
    )

    it("has a title of its own for every case", () => {
      const titles = contract.cases.map(({ title }) => title)
      assert.strictEqual(new Set(titles).size, titles.length)
    })

    for (const { fault, foundBy, layer } of chooseCases(faults, 3)) {
      it.live(`rejects an adapter that ${fault}`, () =>
        Effect.map(
          Effect.exit(run(caseOf(contract.cases, foundBy), { layer, advance: contract.advance })),
          (exit) => {
            assert.isTrue(Exit.isFailure(exit), `not found by: ${foundBy}`)
            // A defect would be a fault of this test, not of the adapter.
            if (Exit.isFailure(exit)) assert.isFalse(Cause.hasDies(exit.cause), `${exit.cause}`)
          }
        )
      )
    }
  })

rejects(presetStore, {
  sound,
  faults: [
    ...presetStoreFaults,
    ...presetRevisionFaults,
    ...presetListFaults,
    ...presetKeyFaults,
    ...presetConditionFaults,
    ...presetLabelFaults,
    ...presetHousekeepingFaults
  ]
})
rejects(jobStore, {
  sound,
  faults: [
    ...jobStoreFaults,
    ...jobBesideFaults,
    ...jobChangeFaults,
    ...usageFaults,
    ...chargeFaults,
    ...roomFaults,
    ...sharedWriteFaults,
    ...jobListFaults,
    ...transcriptPartFaults,
    ...peakFaults
  ]
})
rejects(correctionStore, { sound, faults: correctionStoreFaults })
rejects(retentionStore, { sound, faults: retentionStoreFaults })
rejects(workerRegistry, { sound, faults: workerRegistryFaults })
rejects(workQueue, {
  sound,
  faults: [...workQueueFaults, ...workQueueTurnFaults, ...workQueueOwedFaults]
})
rejects(workspaceStore, {
  sound,
  faults: [
    ...workspaceStoreFaults,
    ...ledgerFaults,
    ...workspaceKeyFaults,
    ...workspaceTenantFaults
  ]
})
rejects(rateLimiterStore, { sound, faults: rateLimiterStoreFaults })
rejects(operatorKeyStore, { sound, faults: operatorKeyStoreFaults })
rejects(mediaFetcher, { sound: soundMediaFetcher, faults: mediaFetcherFaults })
rejects(mediaStore, { sound: soundMediaStore, faults: mediaStoreFaults })
rejects(audioDecoder, { sound: soundDecoder, faults: audioDecoderFaults })
rejects(summarizer, { sound: soundSummarizer, faults: summarizerFaults })
rejects(transcriber, { sound: soundTranscriber, faults: transcriberFaults })
rejects(webhookSender, { sound: soundWebhookSender, faults: webhookSenderFaults })
