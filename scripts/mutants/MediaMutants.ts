/** Faults in how a media store is recognised, and in what it does with a database's mark. */
import { identity } from "./Files.ts"
import { core, type Mutant, memory } from "./Mutant.ts"

const fakeMedia = "packages/testkit/src/fakes/FakeMedia.ts"

export const mediaMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a folder that is not mounted gets the database's mark",
    file: identity,
    text: "if (Option.isNone(found)) return unmarked",
    instead: "if (Option.isNone(found)) return ours"
  },
  {
    fault: "the store of another database is taken for ours",
    file: identity,
    text: "marker === mark ? ours : foreign",
    instead: "marker.length === mark.length ? ours : foreign"
  },
  {
    fault: "a new database takes over the media store of another one",
    file: identity,
    text: "if (!isChosenBy(mark, marker)) return foreign",
    instead: "if (marker.length === 0) return foreign"
  },
  {
    fault: "a copy of a database takes over its media store",
    file: identity,
    text: "if (mark.isCopied) return copied",
    instead: "if (mark.isCopied && mark.identity.length === 0) return copied"
  },
  {
    fault: "media of a job from before the database is collected",
    file: core("worker/MediaCollection.ts"),
    text: "return !isIdBefore(id, createdAt)",
    instead: "return true"
  },
  {
    fault: "many recordings are removed without a warning",
    file: core("worker/MediaCollection.ts"),
    text: "return now - warnedAt >= Duration.toNanosUnsafe(pause)",
    instead: "return true"
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
    file: memory("MemoryDatabase.ts"),
    text: "if (media.marker !== undefined && !isReplacing) return media.marker",
    instead: "if (media.marker === marker) return marker"
  },
  {
    fault: "a media store takes every marker",
    file: fakeMedia,
    text: "marker = options?.isReplacing === true ? text : (marker ?? text)",
    instead: "marker = text"
  }
]
