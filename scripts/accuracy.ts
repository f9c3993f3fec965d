/**
 * Measures this machine's speech engines with recordings whose words are known, and prints a table:
 * `npm run accuracy`. With `-- --download`, downloads all models first (4 GB).
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as Whisper from "@verbatim/adapters/whisper"
import { AudioDecoder, type Transcriber } from "@verbatim/core/ports"
import { durationMillis } from "@verbatim/core/transcription"
import { alignWords, countKeywords, countWords, type WordPair } from "@verbatim/testkit/samples"
import { Console, Duration, Effect, type Layer, Schedule } from "effect"
import {
  synthesizerPackages,
  synthesizers
} from "../packages/adapters/test/speech/DebianPackages.ts"
import { humanSpeech } from "../packages/adapters/test/speech/HumanSpeech.ts"
import {
  cacheDirectory,
  listEngines,
  modelDirectory,
  modelSource,
  recognise
} from "../packages/adapters/test/speech/LocalEngines.ts"
import { generateMeetings, type KnownSet } from "./accuracy/Meetings.ts"
import { diarizationError, wordTimeErrors } from "./accuracy/TimeErrors.ts"

const { values: options } = parseArgs({
  options: { download: { type: "boolean", default: false } }
})

const audio = (name: string) => fileURLToPath(new URL(`../examples/audio/${name}`, import.meta.url))

/** The text of the demo's recording, which is also spoken in the generated meetings. */
const text = readFileSync(audio("harbour-meeting.txt"), "utf8")
const demo: KnownSet = {
  title: "meeting, synthetic voices",
  clips: [{ path: audio("harbour-meeting.flac"), words: text }],
  keywords: ["harbour", "market", "Friday", "Monday", "coffee"]
}

/** Reads a file in `/proc`. Returns "" if the process has ended or the system is not Linux. */
const readProcess = (path: string): string => {
  try {
    return readFileSync(`/proc/${path}`, "utf8")
  } catch {
    return ""
  }
}

/** Returns the ids of all processes started by a process. */
const descendants = (parents: ReadonlyArray<number>): ReadonlyArray<number> => {
  const children = parents.flatMap((pid) => {
    const tasks = readProcess(`${pid}/stat`) === "" ? [] : readdirSync(`/proc/${pid}/task`)
    const ids = tasks.map((task) => readProcess(`${pid}/task/${task}/children`)).join(" ")
    return ids.split(/\s+/).filter(Boolean).map(Number)
  })
  return children.length === 0 ? [] : [...children, ...descendants(children)]
}

/** Returns the fields in a process's `stat` that follow its parenthesized name. */
const statOf = (pid: number): ReadonlyArray<number> =>
  (readProcess(`${pid}/stat`).split(") ").at(-1) ?? "").split(" ").map(Number)

/** Clock ticks per second in `/proc`: the same on every Linux system. */
const ticksPerSecond = 100

/** Returns the CPU time in seconds of all processes started by this process. */
const processorSeconds = (): number => {
  const ended = statOf(process.pid).slice(13, 15)
  const running = descendants([process.pid]).flatMap((pid) => statOf(pid).slice(11, 15))
  return [...ended, ...running].reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond
}

/** Interval between memory readings, shorter than the shortest PocketSphinx run. */
const memoryInterval = Duration.millis(50)

/** Runs an effect, and returns the peak memory, in megabytes, of any process that it started. */
const withPeakMemory = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let peak = 0
  const look = Effect.sync(() => {
    for (const pid of descendants([process.pid])) {
      const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(readProcess(`${pid}/status`)) ?? []
      peak = Math.max(peak, Number(kilobytes) / 1_000)
    }
  })
  const looking = Effect.repeat(look, Schedule.spaced(memoryInterval))
  return [yield* Effect.raceFirst(effect, Effect.andThen(looking, Effect.never)), peak] as const
})

/** Recognises a recording, and measures only the recognition, not the decoding. */
const recogniseClip = Effect.fnUntraced(function* (
  { path, timedWords = [], turns, words }: KnownSet["clips"][number],
  keywords: ReadonlyArray<string>
) {
  const { decode } = yield* AudioDecoder
  const media = { path, extension: extname(path), byteLength: statSync(path).size }
  const decoded = yield* decode(media)
  const startedAt = processorSeconds()
  const isDiarized = turns !== undefined
  const recognised = yield* recognise({ audio: decoded, language: "en", keywords, isDiarized })
  const worked = processorSeconds() - startedAt
  const { areKeywordsUsed = false, areSpeakersUnknown = false, segments } = recognised
  const heard = segments.flatMap((segment) => segment.words ?? [])
  return {
    pairs: alignWords(words, segments.map(({ text }) => text).join(" ")),
    timeErrors: wordTimeErrors(
      timedWords,
      heard.map(({ text, ...range }) => ({ text, range }))
    ),
    speakers: turns === undefined || areSpeakersUnknown ? [] : [diarizationError(turns, segments)],
    areKeywordsUsed,
    seconds: durationMillis(decoded) / 1_000,
    worked
  }
}, Effect.scoped)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

/** The results of one engine for one set of recordings. */
interface Row {
  readonly title: string
  readonly pairs: ReadonlyArray<WordPair>
  readonly keywords: ReadonlyArray<string>
  readonly areKeywordsUsed: boolean
  /** Empty if no timestamps are known for the recordings. */
  readonly timeErrors: ReadonlyArray<number>
  readonly speakers: ReadonlyArray<ReturnType<typeof diarizationError>>
  /** CPU seconds per second of audio, including the engine's start. */
  readonly realTimeFactor: number
  readonly megabytes: number
}

const measure = Effect.fnUntraced(function* (set: KnownSet, given: ReadonlyArray<string>) {
  const [results, megabytes] = yield* withPeakMemory(
    Effect.forEach(set.clips, (clip) => recogniseClip(clip, given))
  )
  const row: Row = {
    ...{ title: set.title, keywords: set.keywords, megabytes },
    pairs: results.flatMap(({ pairs }) => pairs),
    areKeywordsUsed: results.some(({ areKeywordsUsed }) => areKeywordsUsed),
    timeErrors: results.flatMap(({ timeErrors }) => timeErrors),
    speakers: results.flatMap(({ speakers }) => speakers),
    realTimeFactor:
      sum(results.map(({ worked }) => worked)) / sum(results.map(({ seconds }) => seconds))
  }
  return row
})

const header = [
  "| engine | recordings | words | errors | invented words | keywords found | invented keywords " +
    "| times of words off by | speakers counted | speech of wrong speakers " +
    "| CPU time per second | memory |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
]

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`

const formatTimes = ({ speakers, timeErrors }: Row): ReadonlyArray<string> => {
  const right = speakers.filter(({ isCountRight }) => isCountRight).length
  const wrongMillis = sum(speakers.map((each) => each.wrongMillis))
  const knownMillis = sum(speakers.map((each) => each.knownMillis))
  return [
    timeErrors.length === 0 ? "" : `${Math.round(sum(timeErrors) / timeErrors.length)} ms`,
    ...(speakers.length === 0
      ? ["", ""]
      : [`${right} of ${speakers.length}`, percent(wrongMillis, knownMillis)])
  ]
}

const format = (engine: string, row: Row): string => {
  const { errors, invented, spoken } = countWords(row.pairs)
  const keywords = countKeywords(row.pairs, row.keywords)
  const cells = [
    ...[engine, row.areKeywordsUsed ? `${row.title}, with keywords` : row.title, spoken],
    `${errors} (${percent(errors, spoken)})`,
    ...[invented, `${keywords.found} of ${keywords.spoken}`, keywords.invented],
    ...formatTimes(row),
    // Both values are unknown on systems without `/proc`.
    row.megabytes === 0 ? "unknown" : row.realTimeFactor.toFixed(2),
    row.megabytes === 0 ? "unknown" : `${Math.round(row.megabytes)} MB`
  ]
  return `| ${cells.join(" | ")} |`
}

const noSpeakers =
  "it tells no speakers apart, or no model of voices is installed " +
  "(verbatim engines install titanet-small)"

/** Lists the measurements that are missing from an engine's rows, with the reasons. */
const findGaps = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  ...(rows.some(({ timeErrors }) => timeErrors.length > 0) ? [] : ["it gives no word timestamps"]),
  ...(rows.some(({ speakers }) => speakers.length > 0) ? [] : [noSpeakers])
]

/** Measures an engine with one set of recordings, and prints the results. */
const measureSet = Effect.fnUntraced(function* (name: string, set: KnownSet) {
  const row = yield* measure(set, set.keywords)
  if (row.areKeywordsUsed) yield* Console.log(format(name, yield* measure(set, [])))
  yield* Console.log(format(name, row))
  return row
})

/**
 * Measures an engine with all sets of recordings, first without and then with keywords. Returns the
 * missing measurements. If a set fails, the others are measured.
 */
const measureEngine = Effect.fnUntraced(
  function* (
    { name }: { readonly name: string; readonly layer: Layer.Layer<Transcriber> },
    sets: ReadonlyArray<KnownSet>
  ) {
    const [rows, failures] = yield* Effect.partition(sets, (set) =>
      Effect.mapError(measureSet(name, set), ({ message }) => `${set.title}: ${message}`)
    )
    return [...failures, ...findGaps(rows)].map((gap) => `${name}: ${gap}`)
  },
  (effect, { layer }) => Effect.provide(effect, layer)
)

/** Downloads all models. Reports each failure, and continues with the next model. */
const download = Effect.flatMap(Whisper.ModelFolder.catalogue(modelDirectory), (models) =>
  Effect.forEach(models, (model) =>
    Whisper.ModelInstaller.install(model, {
      folder: modelDirectory,
      source: modelSource,
      guard: { allowedNetworks: [] },
      onProgress: () => Effect.void
    }).pipe(
      Effect.andThen(Console.error(`${model.name}: installed`)),
      Effect.catch(({ sentence }) => Console.error(sentence))
    )
  )
)

const debian = { cacheDirectory, report: Console.error }

/** Finds the available sets of recordings, and says why the other sets are missing. */
const findSets = Effect.gen(function* () {
  const missing: Array<string> = []
  const none = (title: string, packages: string) => () => {
    missing.push(`${title}: apt could not fetch ${packages}`)
    return Effect.succeed<ReadonlyArray<KnownSet>>([])
  }
  const human = yield* Effect.catchTag(
    humanSpeech(debian),
    "InstallerError",
    none("human speech", "pocketsphinx-testdata")
  )
  const meetings = yield* synthesizers(debian).pipe(
    Effect.flatMap((environment) =>
      generateMeetings(environment, { text, keywords: demo.keywords })
    ),
    Effect.catchTag("InstallerError", none("generated meetings", synthesizerPackages.join(" ")))
  )
  return { sets: [...human, demo, ...meetings], missing }
})

const program = Effect.gen(function* () {
  if (options.download) yield* download
  const { missing, sets } = yield* findSets
  const engines = yield* listEngines
  yield* Console.log(header.join("\n"))
  const reasons = [
    ...missing,
    "times of words and speakers in the other recordings: only those of the meetings are known"
  ]
  for (const engine of engines) {
    if ("missing" in engine) reasons.push(`${engine.name}: ${engine.missing}`)
    else reasons.push(...(yield* measureEngine(engine, sets)))
  }
  reasons.push("hosted engines: they cost money")
  yield* Console.log(`\nNot measured:\n\n${reasons.map((reason) => `- ${reason}`).join("\n")}`)
})

await Effect.runPromise(
  program.pipe(Effect.provide(Ffmpeg.layer()), Effect.provide(nodeServices), Effect.scoped)
)
