/**
 * Runs the checks of `verbatim doctor` concurrently, each with its own timeout, so that no check
 * delays another. The checks show why a server is not ready, and also report other problems. The
 * command creates no store or folder, and migrates nothing.
 */
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as Filesystem from "@verbatim/adapters/filesystem"
import { JobId } from "@verbatim/core/attempt"
import {
  type DatabaseIdentity,
  MediaStore,
  type Readiness,
  Transcriber
} from "@verbatim/core/ports"
import { judgeMarker } from "@verbatim/core/services"
import { makeMediaKey } from "@verbatim/core/transcription"
import { causesOf, fileReasonOf } from "@verbatim/embed/trouble"
import { Duration, Effect, Fiber, Layer, Option, Stream } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as Disks from "../Disks.ts"
import * as Engines from "../Engines.ts"
import * as Media from "../Media.ts"
import { findMisspelt } from "../SettingMistakes.ts"
import * as Templates from "../Templates.ts"
import { type Finding, failed, ok, warning } from "./Finding.ts"
import { checkStore, findMarker } from "./StoreCheck.ts"

type Check = Effect.Effect<ReadonlyArray<Finding>, unknown>

/** Maximum number of concurrent transcriptions per core. With more, all of them are slow. */
const perCoreMax = 4

/** Lists settings that are valid but probably wrong. */
const findDoubts = (settings: Configuration): ReadonlyArray<string> => {
  const { allowedNetworks, bucket, database, transcribeConcurrency } = settings
  const networks = allowedNetworks.map((network) => network.toString())
  const isLocal = database._tag === "Postgres" && Option.isNone(bucket)
  return [
    database._tag === "Memory" &&
      "VERBATIM_DATABASE_URL is memory: all data is lost when the process ends",
    isLocal &&
      "media is in a local folder, but the database may serve several machines: if it does, set " +
        "VERBATIM_MEDIA_URL=s3://…",
    (networks.includes("0.0.0.0/0") || networks.includes("::/0")) &&
      "VERBATIM_ALLOW_NETWORKS contains all addresses: callers can reach this machine and its " +
        "network",
    transcribeConcurrency > perCoreMax * availableParallelism() &&
      `VERBATIM_TRANSCRIBE_CONCURRENCY is above ${perCoreMax} per core, which slows down all jobs`
  ].filter((doubt) => doubt !== false)
}

const checkSettings = (settings: Configuration): Check =>
  Effect.gen(function* () {
    const doubts = [...(yield* findMisspelt), ...findDoubts(settings)]
    const templates = yield* Effect.scoped(Layer.build(Templates.layer(settings))).pipe(
      Effect.as([]),
      Effect.catch((error) => Effect.succeed([failed("templates", error.sentence)]))
    )
    const findings = [...doubts.map((sentence) => warning("settings", sentence)), ...templates]
    if (findings.length > 0) return findings
    return [ok("settings", "all variables are valid")]
  })

const compareMarkers = (
  identity: Option.Option<DatabaseIdentity>,
  found: Option.Option<string>
): Finding => {
  const status = Option.getOrUndefined(Option.map(identity, (known) => judgeMarker(known, found)))
  if (status === undefined) {
    return ok("marker", "the database has no media store yet, and this one is new")
  }
  return status._tag === "Ours"
    ? ok("marker", "the media store belongs to the database")
    : failed("marker", status.sentence)
}

const checkFolder = Effect.fnUntraced(function* (settings: Configuration) {
  const { mediaDirectory } = settings
  const mark = yield* findMarker(settings)
  if (statSync(mediaDirectory, { throwIfNoEntry: false }) === undefined) {
    return Option.exists(mark, ({ marker }) => Option.isSome(marker))
      ? [failed("media", `the folder ${mediaDirectory} is missing: mount it or restore it`)]
      : [warning("media", `the folder ${mediaDirectory} does not exist yet; the server creates it`)]
  }
  const belongs = compareMarkers(mark, yield* Filesystem.readMarker(mediaDirectory))
  yield* Effect.try(() => accessSync(mediaDirectory, constants.W_OK))
  return [ok("media", `this user may write to ${mediaDirectory}`), belongs]
})

/** A temporary folder for the S3 client. */
const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-doctor-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A media key that belongs to no job. */
const sampleKey = makeMediaKey({
  jobId: JobId.make("00000000-0000-0000-0000-000000000000"),
  attempt: 1,
  extension: ".wav"
})

const checkBucket = Effect.fnUntraced(function* (settings: Configuration, name: string) {
  const mark = yield* findMarker(settings)
  const store = Media.layer({ ...settings, workDirectory: yield* scratch })
  return yield* Effect.gen(function* () {
    const media = yield* MediaStore
    const belongs = compareMarkers(mark, yield* media.marker)
    // The media store could belong to another database, so nothing is written to it.
    if (belongs.verdict !== "ok") return [ok("media", `reachable: the bucket ${name}`), belongs]
    const content = Stream.make(new Uint8Array(1))
    yield* media.put({ key: sampleKey, content, byteMax: 1 })
    yield* media.remove(sampleKey)
    return [ok("media", `writable: the bucket ${name}`), belongs]
  }).pipe(Effect.provide(store))
}, Effect.scoped)

/** Returns an S3 server's error code for a refusal, such as `NoSuchBucket`. */
const nameOf = (error: unknown): string =>
  causesOf(error)
    .flatMap((each) => (each instanceof Error ? [each.name] : []))
    .findLast((name) => /^[A-Za-z]{3,60}$/.test(name) && name !== "Error") ?? "no answer"

const checkMedia = (settings: Configuration): Check => {
  const { bucket, mediaDirectory } = settings
  const [place, check] = Option.match(bucket, {
    onNone: () => [`the folder ${mediaDirectory}`, checkFolder(settings)] as const,
    onSome: ({ bucket: name }) => [`the bucket ${name}`, checkBucket(settings, name)] as const
  })
  return Effect.catch(check, (error) => {
    const reason = fileReasonOf(error) ?? nameOf(error)
    const advice = "check VERBATIM_MEDIA_URL and VERBATIM_S3_…"
    return Effect.succeed([failed("media", `${place} cannot be used (${reason}): ${advice}`)])
  })
}

const checkDisks = (settings: Configuration): Check =>
  Effect.map(Disks.makeDiskCheck(Disks.listWriteFolders(settings)), (troubles) =>
    troubles.length === 0
      ? [ok("disks", "there is enough free space")]
      : troubles.map((sentence) => failed("disks", sentence))
  )

const readinessOf = (names: Configuration["transcribers"], settings: Configuration) =>
  Effect.flatMap(Transcriber, ({ readiness }) => readiness).pipe(
    Effect.provide(Engines.transcriber(names, { ...settings, installs: false })),
    Effect.provide(NodeCrypto.layerSecureRandom)
  )

/** Checks the engines. Downloads nothing, and calls no server. */
const checkEngines = (settings: Configuration): Check =>
  Effect.gen(function* () {
    const state = yield* readinessOf(settings.transcribers, settings)
    const models = yield* Engines.describeModels(settings)
    const engine = yield* judgeReadiness(state, settings)
    return [engine, ...models.map((line) => ok("model", line))]
  })

const judgeReadiness = Effect.fnUntraced(function* (state: Readiness, settings: Configuration) {
  if (state._tag === "Ready") return ok("engine", state.engine)
  if (!settings.transcribers.includes("auto")) return failed("engine", state.sentence)
  const substitute = yield* readinessOf(["pocketsphinx"], settings)
  const standing = substitute._tag === "Ready" ? "is installed" : "is downloaded first"
  const advice =
    "The server downloads it when it starts. If it cannot, it uses PocketSphinx, which " +
    `${standing}; GET /health shows the engine in use.`
  return warning("engine", `${state.sentence} ${advice}`)
})

const checkDecoder: Check = Effect.map(Ffmpeg.find(), (found) => {
  switch (found._tag) {
    case "System":
      return [ok("decoder", `system ffmpeg: ${found.path}`)]
    case "Wasm":
      return [
        warning("decoder", "ffmpeg runs as WebAssembly, several times slower: install ffmpeg")
      ]
    case "Missing":
      return [failed("decoder", "ffmpeg is missing: install it or the package @ffmpeg/core")]
  }
})

/**
 * Timeout of each check. Without it, a check would take minutes to fail on a network that drops
 * packets.
 */
const checkTimeout = Duration.seconds(10)

/** Runs one check. A check that hangs is abandoned, because cancelling it could hang too. */
const runCheck = ([what, check]: readonly [string, Check]): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.flatMap(Effect.forkDetach(check), (looking) =>
    Effect.timeoutOption(Fiber.await(looking), checkTimeout)
  ).pipe(
    Effect.map(
      Option.match({
        onNone: () => [failed(what, `no answer within ${Duration.format(checkTimeout)}`)],
        onSome: (exit) =>
          exit._tag === "Success"
            ? exit.value
            : [failed(what, "the check failed for an unknown reason")]
      })
    )
  )

export const runChecks = (settings: Configuration): Effect.Effect<ReadonlyArray<Finding>> => {
  const checks: ReadonlyArray<readonly [string, Check]> = [
    ["settings", checkSettings(settings)],
    ["database", checkStore(settings)],
    ["media", checkMedia(settings)],
    ["disks", checkDisks(settings)]
  ]
  const work: typeof checks = settings.roles.has("worker")
    ? [
        ["engine", checkEngines(settings)],
        ["decoder", checkDecoder]
      ]
    : []
  return Effect.map(
    Effect.forEach([...checks, ...work], runCheck, { concurrency: "unbounded" }),
    (all) => all.flat()
  )
}
