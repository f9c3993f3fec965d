/** Each contract can fail: its promises have adapters that break one of them. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { type Contract, findBroken, run } from "#src/contracts/Contract"
import {
  audioDecoder,
  correctionStore,
  jobStore,
  mediaFetcher,
  mediaStore,
  operatorKeyStore,
  presetStore,
  rateLimiterStore,
  retentionStore,
  summarizer,
  transcriber,
  webhookSender,
  workerRegistry,
  workQueue,
  workspaceStore
} from "#src/index"
import * as Engines from "./faults/EngineFaults.ts"
import { caseOf, type Fault } from "./faults/Fault.ts"
import * as JobLists from "./faults/JobListFaults.ts"
import * as Jobs from "./faults/JobStoreFaults.ts"
import { mediaFetcherFaults } from "./faults/MediaFetcherFaults.ts"
import { mediaStoreFaults, soundMediaStore } from "./faults/MediaStoreFaults.ts"
import * as Others from "./faults/OtherStoreFaults.ts"
import * as PresetKeys from "./faults/PresetKeyFaults.ts"
import { presetLabelFaults } from "./faults/PresetLabelFaults.ts"
import { presetListFaults } from "./faults/PresetListFaults.ts"
import * as Presets from "./faults/PresetStoreFaults.ts"
import { webhookSenderFaults } from "./faults/WebhookSenderFaults.ts"
import * as Queues from "./faults/WorkQueueFaults.ts"
import * as Workspaces from "./faults/WorkspaceStoreFaults.ts"

const rejects = <Ports, Offered>(
  contract: Contract<Ports>,
  faults: ReadonlyArray<Fault<Ports | Offered>>
) =>
  describe(`The contract of ${contract.port}`, () => {
    it("has a title of its own for every case", () => {
      const titles = contract.cases.map(({ title }) => title)
      assert.strictEqual(new Set(titles).size, titles.length)
    })

    for (const { foundBy, layer } of faults) {
      it.live(`rejects an adapter that breaks the promise: ${foundBy}`, () =>
        Effect.map(
          Effect.exit(run(caseOf(contract.cases, foundBy), { layer, advance: contract.advance })),
          (exit) => {
            if (Exit.isSuccess(exit)) assert.fail("the case accepts the adapter")
            // A defect would be a fault of this test, not of the adapter.
            assert.isFalse(Cause.hasDies(exit.cause), `${exit.cause}`)
          }
        )
      )
    }
  })

/** The fakes that faults are planted into; real adapters are tested with the adapters. */
const accepts = <Ports>(contract: Contract<Ports>, layer: Layer.Layer<Ports, unknown>) =>
  it.live(`The contract of ${contract.port} accepts an adapter without faults`, () =>
    Effect.map(findBroken(contract, { layer }), (found) =>
      assert.deepStrictEqual(
        found.map(({ title }) => title),
        []
      )
    )
  )

rejects(presetStore, [
  ...Presets.presetStoreFaults,
  ...Presets.presetRevisionFaults,
  ...Presets.presetConditionFaults,
  ...PresetKeys.presetKeyFaults,
  ...PresetKeys.presetHousekeepingFaults,
  ...presetListFaults,
  ...presetLabelFaults
])
rejects(jobStore, [
  ...Jobs.jobStoreFaults,
  ...Jobs.jobBesideFaults,
  ...Jobs.sharedWriteFaults,
  ...Jobs.roomFaults,
  ...JobLists.jobListFaults,
  ...JobLists.jobChangeFaults,
  ...JobLists.transcriptPartFaults,
  ...JobLists.peakFaults,
  ...JobLists.usageFaults,
  ...Workspaces.chargeFaults
])
rejects(workQueue, [
  ...Queues.workQueueFaults,
  ...Queues.workQueueTurnFaults,
  ...Queues.workQueueOwedFaults
])
rejects(workspaceStore, [
  ...Workspaces.workspaceStoreFaults,
  ...Workspaces.ledgerFaults,
  ...Workspaces.workspaceKeyFaults,
  ...Workspaces.workspaceTenantFaults
])
rejects(correctionStore, Others.correctionStoreFaults)
rejects(retentionStore, Others.retentionStoreFaults)
rejects(workerRegistry, Others.workerRegistryFaults)
rejects(rateLimiterStore, Others.rateLimiterStoreFaults)
rejects(operatorKeyStore, Others.operatorKeyStoreFaults)
rejects(mediaFetcher, mediaFetcherFaults)
rejects(mediaStore, mediaStoreFaults)
rejects(audioDecoder, Engines.audioDecoderFaults)
rejects(summarizer, Engines.summarizerFaults)
rejects(transcriber, Engines.transcriberFaults)
rejects(webhookSender, webhookSenderFaults)

accepts(mediaStore, soundMediaStore)
accepts(audioDecoder, Engines.soundDecoder)
accepts(summarizer, Engines.soundSummarizer)
accepts(transcriber, Engines.soundTranscriber)
