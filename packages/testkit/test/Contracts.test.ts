/** Tests that every contract can fail, because it rejects adapters that break its guarantees. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { type Contract, run } from "#src/contracts/Contract"
import { randomCallers } from "#src/contracts/cases/RandomCallers"
import { TranscriberContract } from "#src/contracts/index"
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
import { caseOf, type Fault } from "./faults/Fault.ts"
import * as Jobs from "./faults/JobFaults.ts"
import * as Others from "./faults/OtherStoreFaults.ts"
import { pieceEngine } from "./faults/PieceEngine.ts"
import * as Ports from "./faults/PortFaults.ts"
import { presetStoreFaults } from "./faults/PresetFaults.ts"
import { randomFaults } from "./faults/RandomFaults.ts"

const rejects = <Ports, Offered>(
  contract: Contract<Ports>,
  faults: ReadonlyArray<Fault<Ports | Offered>>
) =>
  describe(`The contract for ${contract.port}`, () => {
    it("has a unique title for every case", () => {
      const titles = contract.cases.map(({ title }) => title)
      assert.strictEqual(new Set(titles).size, titles.length)
    })

    for (const { foundBy, layer } of faults) {
      it.live(`rejects an adapter that breaks the guarantee: ${foundBy}`, () =>
        Effect.map(
          Effect.exit(run(caseOf(contract.cases, foundBy), { layer, advance: contract.advance })),
          (exit) => {
            if (Exit.isSuccess(exit)) assert.fail("the case accepts the adapter")
            // A defect would be a mistake in the test, not in the adapter.
            assert.isFalse(Cause.hasDies(exit.cause), `${exit.cause}`)
          }
        )
      )
    }
  })

rejects(presetStore, presetStoreFaults)
rejects(jobStore, Jobs.jobStoreFaults)
rejects(workQueue, Jobs.workQueueFaults)
rejects(workspaceStore, Others.workspaceStoreFaults)
rejects(correctionStore, Others.correctionStoreFaults)
rejects(retentionStore, Others.retentionStoreFaults)
rejects(workerRegistry, Others.workerRegistryFaults)
rejects(rateLimiterStore, Others.rateLimiterStoreFaults)
rejects(operatorKeyStore, Others.operatorKeyStoreFaults)
rejects(mediaFetcher, Ports.mediaFetcherFaults)
rejects(mediaStore, Ports.mediaStoreFaults)
rejects(audioDecoder, Ports.audioDecoderFaults)
rejects(summarizer, Ports.summarizerFaults)
rejects(transcriber, Ports.transcriberFaults)
TranscriberContract.suite("a scripted engine", pieceEngine())
rejects(webhookSender, Ports.webhookSenderFaults)

describe("The contracts for jobs and presets", () => {
  /**
   * Maximum number of runs. The runtime decides which calls collide, so one run can miss a rare
   * fault.
   */
  const runMax = 4

  for (const [does, layer] of Object.entries(randomFaults)) {
    it.live(`reject a store that ${does}`, () =>
      Effect.gen(function* () {
        const exits = Effect.forEach(randomCallers, (each) => Effect.exit(run(each, { layer })))
        const isRejected = yield* Effect.map(exits, (all) => all.some(Exit.isFailure)).pipe(
          Effect.repeat({ until: (isFound) => isFound, times: runMax })
        )
        assert.isTrue(isRejected)
      })
    )
  }
})
