/** Faults in how a media store is recognised, and in what it does with a database's mark. */
import { identity } from "./Files.ts"
import { core, type Mutant, memory } from "./Mutant.ts"

const fakeMedia = "packages/testkit/src/fakes/FakeMedia.ts"

export const mediaMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a folder that is not mounted gets the database's mark",
    file: identity,
    text: "onNone: () => unmarked,",
    instead: "onNone: () => ours,"
  },
  {
    fault: "the store of another database is taken for ours",
    file: identity,
    text: "marker === mark ? ours : foreign",
    instead: "marker.length === mark.length ? ours : foreign"
  },
  {
    fault: "a database is marked before its media store",
    file: identity,
    text: "yield* media.mark(yield* random.uuidV4())",
    instead: "yield* media.mark(yield* jobs.adoptMedia(yield* random.uuidV4()))"
  },
  {
    fault: "the standing of a media store is believed for ever",
    file: identity,
    text: "clock.monotonicTimeNanosUnsafe() < last.until",
    instead: "last.until > 0n"
  },
  {
    fault: "a bad standing of a media store is believed as long as a good one",
    file: identity,
    text: 'standing._tag === "Ours" ? goodFor : badFor',
    instead: 'standing._tag === "Ours" ? goodFor : goodFor'
  },
  {
    fault: "the age of a standing is counted from its answer",
    file: identity,
    text: "last = { standing, until: askedAt + believed }",
    instead: "last = { standing, until: clock.monotonicTimeNanosUnsafe() + believed }"
  },
  {
    fault: "everybody asks the media store for himself",
    file: identity,
    text: "if (underway !== undefined) return",
    instead: "if (underway !== undefined && last !== undefined) return"
  },
  {
    fault: "whoever asks the media store first takes the others along",
    file: identity,
    text: "Effect.forkIn(Effect.interruptible(ask(asked)), scope)",
    instead: "restore(ask(asked))"
  },
  {
    fault: "a media store that hangs is waited for",
    file: identity,
    text: "const patience = Duration.seconds(3)",
    instead: "const patience = Duration.hours(3)"
  },
  {
    fault: "a file goes into a media store that is not ours",
    file: core("services/Uploads.ts"),
    text: 'yield* identity.mustBeOurs("put")',
    instead: "yield* identity.verify"
  },
  {
    fault: "the last media store that is adopted is the database's",
    file: memory("MemoryJobStore.ts"),
    text: "    mediaMarks.add(first)\n    return first",
    instead: "    mediaMarks.clear()\n    mediaMarks.add(marker)\n    return first"
  },
  {
    fault: "a media store takes every marker",
    file: fakeMedia,
    text: "marker ??= text",
    instead: "marker = text"
  }
]
