/** Faults in what keeps work from what breaks: outages, deaths, clocks, stops, lost answers. */
import { attempts, cleaning, deliveries, storeClock } from "./Files.ts"
import { core, type Mutant, sql } from "./Mutant.ts"

const test = (name: string): ReadonlyArray<string> => [`packages/core/test/${name}.test.ts`]

export const recoveryMutants: ReadonlyArray<Mutant> = [
  {
    fault: "an outage spends an attempt",
    file: core("domain/attempt/Failure.ts"),
    text: '_tag === "EngineUnavailable" || _tag === "StorageFailed" || _tag === "MediaMissing"',
    instead: '_tag === "EngineUnavailable" && _tag.length === 0',
    tests: test("worker/Outages")
  },
  {
    fault: "an outage forgets how many processes a task has killed",
    file: core("domain/attempt/Attempt.ts"),
    text: "setbacks: { ...setbacks, outages",
    instead: "setbacks: { ...setbacks, deaths: 0, outages",
    tests: test("worker/Poison")
  },
  {
    fault: "a suspect that cannot be served is asked for again at once",
    file: core("worker/Admission.ts"),
    text: "reluctance = Reluctance.afterMiss(",
    instead: "void Reluctance.afterMiss(",
    tests: test("worker/Reluctance")
  },
  {
    fault: "a webhook goes out whose body has no digest yet",
    file: deliveries,
    text: "if (frozen.digest === undefined && attempt === 1) {",
    instead: "if (frozen.digest === undefined && attempt === 0) {",
    tests: test("services/SameBytes")
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
    file: core("domain/attempt/Attempt.ts"),
    text: "(setbacks.isSuspect ? 1 : 0)",
    instead: "1",
    tests: test("worker/Poison")
  },
  {
    fault: "a body that was kept is made again",
    file: deliveries,
    text: "Option.isSome(kept) && kept.value.deliveryId === job.delivery?.id",
    instead: "Option.isSome(kept) && kept.value.deliveryId === undefined",
    tests: test("domain/delivery/KeptBody")
  },
  {
    fault: "a webhook whose body has changed is sent",
    file: deliveries,
    text: "(yield* digestOf(body)) === frozen.digest",
    instead: '(yield* digestOf(body)) !== ""',
    tests: test("domain/delivery/KeptBody")
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
    file: core("services/Commits.ts"),
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
    text: "Stream.runForEach(removeUnneeded)",
    instead: "Stream.take(1), Stream.runForEach(removeUnneeded)",
    tests: test("worker/MediaCollection")
  },
  {
    fault: "an attempt that its own process lost is a death",
    file: core("worker/OwnAttempts.ts"),
    text: "return isOwn && !isTelling(task)",
    instead: "return isOwn && isTelling(task)",
    tests: test("worker/Silences")
  },
  {
    fault: "a process remembers no attempt of its own",
    file: attempts,
    text: "if (AttemptEvents.attemptUnderway(claimed.job) === undefined)\n          own.begin(",
    instead: "if (startedAt === undefined)\n          own.begin(",
    tests: test("worker/Silences")
  },
  {
    fault: "a commit goes on after its lease",
    file: attempts,
    text: "Duration.subtract(leaseDuration, trustDuration),\n  Duration.seconds(1)",
    instead: "Duration.sum(leaseDuration, trustDuration),\n  Duration.seconds(20)",
    tests: test("worker/LateCommits")
  },
  {
    fault: "a defect closes a circuit",
    file: attempts,
    text: "failure !== undefined && !Exit.hasDies(exit)",
    instead: "failure !== undefined",
    tests: test("worker/Circuits")
  },
  {
    fault: "a webhook that did not begin closes a circuit",
    file: core("worker/Circuits.ts"),
    text: 'ending._tag === "Failed" ? Circuit.dependenciesTried(task, ending.failure) : []',
    instead: '"failure" in ending ? Circuit.dependenciesTried(task, ending.failure) : []',
    tests: test("worker/Circuits")
  },
  {
    fault: "a suspect whose engine is away is given back, and found first again",
    file: core("worker/Worker.ts"),
    text: 'return entry === "OutOfReach"',
    instead: "return false",
    tests: test("worker/Suspects")
  },
  {
    fault: "a suspect keeps others out for as long as it takes",
    file: core("worker/Isolation.ts"),
    text: '(kind === "Deliver" ? silence : aloneMax)',
    instead: '(kind === "Deliver" ? silence : 100n * aloneMax)',
    tests: test("worker/Suspects")
  },
  {
    fault: "a process is emptied for each suspect",
    file: core("worker/Isolation.ts"),
    text: "now - isolation.sittingSince < sittingMax",
    instead: "now - isolation.sittingSince < 0n",
    tests: test("worker/Suspects")
  },
  {
    fault: "suspects follow each other without an end",
    file: core("worker/Isolation.ts"),
    text: "now - isolation.sittingSince < sittingMax",
    instead: "now - isolation.sittingSince >= 0n",
    tests: test("worker/Suspects")
  },
  {
    // A draining process that claimed again: dbos-transact-py #742, #804 and #546.
    fault: "a process that stops goes on claiming",
    file: core("worker/Presence.ts"),
    text: "Effect.andThen(drain, ",
    instead: "Effect.andThen(Effect.void, "
  },
  {
    fault: "a worker that drains goes on claiming",
    file: core("worker/Worker.ts"),
    text: "isStopping || Object.keys",
    instead: "Object.keys",
    tests: test("worker/Draining")
  },
  {
    fault: "claims wait for a silent media store",
    file: core("worker/Admission.ts"),
    text: "return Effect.as(Effect.forkDetach(ask), isOurs)",
    instead: 'return Effect.map(ask, ({ _tag }) => _tag === "Ours")',
    tests: test("worker/Outages")
  },
  {
    fault: "what dies before its attempt is tried again at once",
    file: core("worker/Worker.ts"),
    text: 'ending._tag !== "NotBegun" || ending.failure !== undefined',
    instead: 'ending._tag !== "NotBegun"',
    tests: test("services/Preparation")
  },
  {
    fault: "media goes while a retry that was decided in time is on its way",
    file: core("worker/MediaCollection.ts"),
    text: "Duration.sum(failedFor, retryMargin)",
    instead: "failedFor",
    tests: test("worker/MediaCollection")
  },
  {
    fault: "a format is never raised",
    file: sql("job/JobFormat.ts"),
    text: "events.some(isSecond) ? 2 : firstFormat",
    instead: "events.every(isSecond) && false ? 2 : firstFormat",
    tests: [
      "packages/adapters/test/sqlite/SqliteNewerVersion.test.ts",
      "packages/adapters/test/postgres/PostgresNewerVersion.test.ts"
    ]
  },
  {
    fault: "who waits for an answer is taken for gone",
    file: "packages/server/src/listener/OrderlyServer.ts",
    text: "unfinished === undefined && conversation.isAwaited()",
    instead: "unfinished !== undefined && conversation.isAwaited()",
    tests: ["packages/server/test/ClosedConnections.test.ts"]
  },
  {
    fault: "an answer that never begins is waited for without an end",
    file: "packages/server/src/listener/OrderlyServer.ts",
    text: "performance.now() - begunAt < answerTimeout",
    instead: "begunAt >= 0 && answerTimeout >= 0",
    tests: ["packages/server/test/ClosedConnections.test.ts"]
  },
  {
    fault: "an answer that is due is lost with what is refused behind it",
    file: "packages/server/src/listener/OrderlyServer.ts",
    text: "    current?.request.complete === true &&\n",
    instead: "    !isRefused &&\n    current?.request.complete === true &&\n",
    tests: ["packages/server/test/ClosedConnections.test.ts"]
  },
  {
    fault: "the text of a file is shown to all while it is written",
    file: "packages/server/src/presets/PresetFolder.ts",
    text: ", { mode: found?.mode ?? newMode }",
    instead: "",
    tests: ["packages/server/test/presets/PresetFolder.test.ts"]
  },
  {
    fault: "a call that waits hears at once that the store is away",
    file: core("services/JobEnds.ts"),
    text: "times: 12",
    instead: "times: 0",
    tests: test("services/SpeechWaits")
  },
  {
    fault: "a call that begins to wait hears at once that the store is away",
    file: core("services/JobEnds.ts"),
    text: "let job = yield* look",
    instead: "let job = yield* records.find(principal, id)",
    tests: test("services/SpeechWaits")
  },
  {
    fault: "a call waits for a job that nobody can read",
    file: core("services/JobEnds.ts"),
    text: ' && error.reason._tag === "Unavailable"',
    instead: "",
    tests: test("services/SpeechWaits")
  },
  {
    fault: "a call that waits never hears that the store is away",
    file: core("services/JobEnds.ts"),
    text: "times: 12",
    instead: "times: Number.POSITIVE_INFINITY",
    tests: test("services/SpeechWaits")
  },
  {
    fault: "each call that waits asks for itself",
    file: core("services/JobEnds.ts"),
    text: "const quietMax = Duration.minutes(5)",
    instead: "const quietMax = Duration.seconds(30)",
    tests: test("services/SpeechWaits")
  }
]
