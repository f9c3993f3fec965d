/**
 * Faults that prove that the simulation, the contracts and the checks can fail. There is at least
 * one for each guarantee in docs/guarantees.md, and some for workspaces, corrections, live events
 * and pins.
 */
import type { Mutant } from "./Judging.ts"

const core = (path: string): string => `packages/core/src/${path}.ts`
const adapters = (path: string): string => `packages/adapters/src/${path}.ts`

const coreTest = (path: string) => [`packages/core/test/${path}.test.ts`]
const adaptersTest = (path: string) => [`packages/adapters/test/${path}.test.ts`]
const contracts = adaptersTest("memory/MemoryStores")

const jobStore = adapters("memory/MemoryJobStore")
const presetStore = adapters("memory/MemoryPresetStore")
const pieces = core("services/tasks/PieceRecognition")
const verdict = core("domain/attempt/Verdict")

export const mutants: ReadonlyArray<Mutant> = [
  {
    guarantee: "G1",
    fault: "a job that could not be written is acknowledged",
    file: core("services/intake/JobCreation"),
    text: ": Effect.fail(error)\n        )",
    instead: ": Effect.succeedNone\n        )",
    tests: coreTest("services/jobs/JobLostAnswers")
  },
  {
    guarantee: "G1",
    fault: "a job is stored without its work",
    file: jobStore,
    text: "if (Option.isSome(creation.work)) {",
    instead: "if (Option.isNone(creation.work)) {"
  },
  {
    guarantee: "G2",
    fault: "a claim does not lease its work",
    file: adapters("memory/MemoryWorkQueue"),
    text: "lease: { token, until } })",
    instead: "lease: null })"
  },
  {
    guarantee: "G2",
    fault: "a dead worker's attempt counts as not begun",
    file: core("worker/Attempts"),
    text: "if (attempt === undefined) {\n      return AttemptEvents",
    instead: "if (attempt === undefined || at !== undefined) {\n      return AttemptEvents"
  },
  {
    guarantee: "G3",
    fault: "a job is charged again by each commit with a charge",
    file: jobStore,
    text: "jobId: id, keyId",
    instead: "jobId: id + next.revision, keyId",
    tests: contracts
  },
  {
    guarantee: "G3",
    fault: "a repeated credit is booked again",
    file: adapters("memory/MemoryDatabase"),
    text: "ledger.has(key)",
    instead: '(entry.reason._tag === "Charge" && ledger.has(key))'
  },
  {
    guarantee: "G4",
    fault: "a webhook is tried again after 59 seconds",
    file: verdict,
    text: "delay: Duration.seconds(60)",
    instead: "delay: Duration.seconds(59)"
  },
  {
    guarantee: "G4",
    fault: "a fourth attempt is made",
    file: verdict,
    text: "attempt >= policy.maxAttempts",
    instead: "attempt > policy.maxAttempts"
  },
  {
    guarantee: "G4",
    fault: "every attempt has a new webhook-id",
    file: core("services/tasks/Deliveries"),
    text: '"webhook-id": id,',
    instead: '"webhook-id": id + delivery.attempt,'
  },
  {
    guarantee: "G5",
    fault: "a commit is not fenced by its lease token",
    file: jobStore,
    text: " || !isHeld",
    instead: "",
    tests: contracts
  },
  {
    guarantee: "G5",
    fault: "a shared commit is not fenced by its lease",
    file: adapters("postgres/statements/Commits"),
    text: "WHERE job.token IS NULL OR held.is_held)",
    instead: "WHERE TRUE)",
    tests: adaptersTest("postgres/PostgresStores")
  },
  {
    guarantee: "G6",
    fault: "a version gets the number after the designated version",
    file: core("domain/preset/Preset"),
    text: "latestVersion: state.latestVersion + 1,\n  designatedVersion:",
    instead: "latestVersion: state.designatedVersion + 1,\n  designatedVersion:"
  },
  {
    guarantee: "G7",
    fault: "a failed attempt is not counted",
    file: core("domain/attempt/Attempt"),
    text: "wait(state, { attempts: state.attempt, dueAt })",
    instead: "wait(state, { attempts: state.attempt - 1, dueAt })",
    tests: coreTest("worker/Worker")
  },
  {
    guarantee: "G8",
    fault: "a refused upload stays in the folder",
    file: adapters("filesystem/Staging"),
    text: 'Effect.ignore(attempt("discard", () => rm(path, { recursive: true, force: true })))',
    instead: 'path === "" ? Effect.ignore(attempt("discard", () => rm(path))) : Effect.void',
    tests: adaptersTest("filesystem/FilesystemMediaStore")
  },
  {
    guarantee: "G9",
    fault: "media can have any format, even one that opens other files",
    file: adapters("ffmpeg/FfmpegArguments"),
    text: '...["-format_whitelist", formats.join(",")],',
    instead: "",
    tests: adaptersTest("ffmpeg/HostileMedia")
  },
  {
    guarantee: "G10",
    fault: "a name is permitted if one of its addresses is public",
    file: adapters("net/GuardedSocket"),
    text: "!addresses.every(isPermitted)",
    instead: "!addresses.some(isPermitted)",
    tests: adaptersTest("net/Guard")
  },
  {
    guarantee: "G11",
    fault: "a stopping process claims more work",
    file: core("worker/Heartbeat"),
    text: "Effect.andThen(drain, ",
    instead: "Effect.andThen(Effect.void, "
  },
  {
    guarantee: "G12",
    fault: "a job is inserted although its idempotency key is taken",
    file: jobStore,
    text: "return Effect.succeed(earlier)",
    instead: "idempotency.set(key, record)"
  },
  {
    guarantee: "G12",
    fault: "a different request under the same key counts as a repeat",
    file: core("services/intake/Repeats"),
    text: "first.fingerprint !== fingerprint",
    instead: 'first.fingerprint === ""'
  },
  {
    guarantee: "G12",
    fault: "a write whose answer was lost is not repeated",
    file: core("ports/Deadline"),
    text: "times: repeatMax",
    instead: "times: 0 * repeatMax",
    tests: coreTest("services/presets/PresetLostAnswers")
  },
  {
    guarantee: "G13",
    fault: "deleting a job does not delete its pending work",
    file: adapters("memory/MemoryChanges"),
    text: "  tables.jobs.delete(id)\n  tables.work.delete(id)",
    instead: "  tables.jobs.delete(id)"
  },
  {
    guarantee: "G14",
    fault: "a lane has no limit",
    file: core("domain/job/Lane"),
    text: "if (count >= max) return false",
    instead: "if (count < 0) return false",
    tests: coreTest("worker/Lanes")
  },
  {
    guarantee: "G15",
    fault: "a webhook is signed only with the oldest secret",
    file: core("services/tasks/Deliveries"),
    text: "own.map(({ secret }) => secret)",
    instead: "own.slice(0, 1).map(({ secret }) => secret)",
    tests: coreTest("services/tasks/Deliveries")
  },
  {
    guarantee: "G16",
    fault: "a copy skips the first row of each full page",
    file: adapters("sql/copy/StoreCopy"),
    text: "const part of partsOf(rows)",
    instead: "const part of partsOf(rows.length < table.pageMax ? rows : rows.slice(1))",
    tests: adaptersTest("copy/StoreCopy")
  },
  {
    guarantee: "G17",
    fault: "media of jobs that are older than the restored database is removed",
    file: core("worker/MediaCollection"),
    text: "return !isIdBefore(id, createdAt)",
    instead: "return true",
    tests: coreTest("worker/MediaCollection")
  },
  {
    guarantee: "G18",
    fault: "a newer database counts as up to date",
    file: adapters("sql/Migrator"),
    text: "if (needed > known)",
    instead: "if (needed > known + 10_000)",
    tests: adaptersTest("sqlite/SqliteMigrations")
  },
  {
    guarantee: "G19",
    fault: "retention deletes a job one day early",
    file: core("domain/job/Expiry"),
    text: "DateTime.subtract(now, { days })",
    instead: "DateTime.subtract(now, { days: days - 1 })"
  },
  {
    guarantee: "G20",
    fault: "a listener is called a fourth time",
    file: core("domain/notice/Notice"),
    text: "Waiting.make({ id, ...waiting })",
    instead: "Waiting.make({ id, ...waiting, attempts: 0 })"
  },
  {
    guarantee: "G21",
    fault: "a decision made before a label was protected moves the label",
    file: presetStore,
    text: "||\n    isAnyProtected(tables, { ...stored, labels: freeLabels })",
    instead: "||\n    isAnyProtected(tables, { ...stored, labels: freeLabels.slice(1) })",
    tests: coreTest("services/presets/Labels")
  },
  {
    guarantee: "G21",
    fault: "erased content is kept",
    file: presetStore,
    text: "if (erasure === undefined) return",
    instead: "if (erasure === undefined || erasure.version > 0) return"
  },
  {
    guarantee: "tenants",
    fault: "a list shows the jobs of all workspaces",
    file: jobStore,
    text: "query.workspaceId === null || job.workspaceId === query.workspaceId",
    instead: 'query.workspaceId === null || job.workspaceId !== ""',
    tests: contracts
  },
  {
    guarantee: "corrections",
    fault: "a version of corrections overwrites another one",
    file: adapters("memory/MemoryCorrectionStore"),
    text: 'if (versions.length !== version.version - 1) return refusal("Superseded")',
    instead: 'if (versions.length < version.version - 1) return refusal("Superseded")',
    tests: contracts
  },
  {
    guarantee: "events",
    fault: "a subscriber misses the first event after its cursor",
    file: core("services/events/ChangePoller"),
    text: "entries: entries.filter((each) => isAfter(each.cursor, cursor)),",
    instead: "entries: entries.filter((each) => isAfter(each.cursor, cursor)).slice(1),",
    tests: coreTest("services/events/WorkspaceFeeds")
  },
  {
    guarantee: "pins",
    fault: "the age of a pin counts from its answer, not from its query",
    file: "packages/resolution/src/pins/PinReader.ts",
    text: "const pin = { pinned, queriedAt }",
    instead: "const pin = { pinned, queriedAt: now() }",
    tests: ["packages/resolution/test/pins/PinReader.test.ts"]
  },
  {
    guarantee: "G22",
    fault: "a piece is stored twice",
    file: pieces,
    text: "yield* keepPiece({ piece, ...counted })",
    instead: `yield* keepPiece({ piece, ...counted })
      yield* keepPiece({ piece, ...counted })`
  },
  {
    guarantee: "G22",
    fault: "the order of a transcript depends on when its pieces were recognised",
    file: core("ports/Transcriber"),
    text: "results[index] = yield* recognise(piece, results)",
    instead: "results.push(yield* recognise(piece, results))"
  },
  {
    guarantee: "G22",
    fault: "a resumed recording is recognised again from the beginning",
    file: pieces,
    text: "found: own.result, isOwn: true",
    instead: "found: undefined, isOwn: true"
  },
  {
    guarantee: "G22",
    fault: "pieces are recognised without a slot",
    file: pieces,
    text: "Effect.andThen(slots.hold(job.workspaceId), Effect.timed(recognition))",
    instead: "Effect.timed(recognition)"
  },
  {
    guarantee: "G22",
    fault: "a piece's digest does not contain the language and the other settings",
    file: pieces,
    text: "hash(range, settings, isInContext",
    instead: "hash(range, typeof settings, isInContext"
  },
  {
    guarantee: "G22",
    fault: "a result is reused in another workspace",
    file: jobStore,
    text: "if (job.workspaceId !== workspaceId) continue",
    instead: 'if (workspaceId === "" && job.workspaceId !== workspaceId) continue'
  },
  {
    guarantee: "G22",
    fault: "deaths before the last stored piece still count",
    file: core("domain/attempt/Attempt"),
    text: "({ setbacks, ...state }: State) => ({",
    instead: "(state: State) => ({",
    tests: coreTest("worker/Pieces")
  }
]
