/** Faults in what keeps work from what breaks: outages, deaths, clocks, stops, lost answers. */
import { core, type Mutant } from "./Mutant.ts"

const cleaning = core("worker/MediaCleaning.ts")
const deliveries = core("delivery/Deliveries.ts")
const storeClock = core("worker/StoreClock.ts")

const test = (name: string): ReadonlyArray<string> => [`packages/core/test/${name}.test.ts`]

export const recoveryMutants: ReadonlyArray<Mutant> = [
  {
    fault: "an outage spends an attempt",
    file: core("job/Failure.ts"),
    text: '_tag === "EngineUnavailable" || _tag === "StorageFailed" || _tag === "MediaMissing"',
    instead: '_tag === "EngineUnavailable" && _tag.length === 0',
    tests: test("worker/Outages")
  },
  {
    fault: "a circuit never opens",
    file: core("worker/Circuit.ts"),
    text: "if (circuit.failures > 0 && !isTrial) return circuit",
    instead: "if (circuit.failures >= 0 || !isTrial) return circuit",
    tests: test("worker/Outages")
  },
  {
    fault: "the media of a failed job is removed",
    file: cleaning,
    text: '_tag !== "Transcribed" || !(yield',
    instead: '_tag === "Transcribed" && !(yield',
    tests: [...test("worker/MediaCollection"), ...test("worker/Outages")]
  },
  {
    fault: "media is removed without another look at its job",
    file: cleaning,
    text: "|| !(yield* isTranscribed(after))",
    instead: "",
    tests: test("worker/MediaCleaning")
  },
  {
    fault: "a suspect runs beside others",
    file: core("worker/Isolation.ts"),
    text: "switch (isolation._tag) {",
    instead: `if (now >= 0n) return true
  switch (isolation._tag) {`,
    tests: test("worker/Poison")
  },
  {
    fault: "a death beside others counts",
    file: core("job/Attempt.ts"),
    text: "(setbacks.isSuspect ? 1 : 0)",
    instead: "1",
    tests: test("worker/Poison")
  },
  {
    fault: "a body that was kept is made again",
    file: deliveries,
    text: "Option.isSome(kept) && kept.value.deliveryId === job.delivery?.id",
    instead: "Option.isSome(kept) && kept.value.deliveryId === undefined",
    tests: test("delivery/KeptBody")
  },
  {
    fault: "a webhook whose body has changed is sent",
    file: deliveries,
    text: "(yield* digestOf(body)) === frozen.digest",
    instead: '(yield* digestOf(body)) !== ""',
    tests: test("delivery/KeptBody")
  },
  {
    fault: "a step of the store's clock is not doubted",
    file: storeClock,
    text: "now < doubtedUntil",
    instead: "now < doubtedUntil && now < 0n",
    tests: test("worker/StoreClock")
  },
  {
    fault: "a step of the store's clock is doubted for as long as it is",
    file: storeClock,
    text: "doubtedUntil: seen.answeredAt + doubtMaxNanos",
    instead: "doubtedUntil: seen.answeredAt + least(step + tolerance, doubtMaxNanos)",
    tests: test("worker/StoreClock")
  },
  {
    fault: "a write without a lease is never known again",
    file: core("job/Commits.ts"),
    text: "(Option.isSome(token) || Equal.equals(entry.events, events))",
    instead: "Option.isSome(token)"
  },
  {
    // A recovery that ran lost work in a stale process: dbos-transact-ts #706.
    fault: "a lease is trusted for a minute",
    file: core("worker/Leases.ts"),
    text: "export const trustDuration: Duration.Duration = Duration.seconds(25)",
    instead: "export const trustDuration: Duration.Duration = Duration.seconds(60)",
    tests: test("worker/Leases")
  },
  {
    // dograh, PR #478.
    fault: "a collection stops at its first hundred",
    file: core("worker/MediaCollection.ts"),
    text: "Stream.grouped(batchMax), Stream.runForEach(removeFinished)",
    instead: "Stream.take(batchMax), Stream.grouped(batchMax), Stream.runForEach(removeFinished)",
    tests: test("worker/MediaCollection")
  }
]
