/** Faults in answers that are made piece by piece. */
import { jobText, reads, sharedSlots } from "./Files.ts"
import { core, type Mutant, memory } from "./Mutant.ts"

export const largeMutants: ReadonlyArray<Mutant> = [
  {
    fault: "pieces of long texts are made all at once",
    file: reads,
    text: "semaphore.withPermit(Effect.andThen(Effect.yieldNow, work))",
    instead: "Effect.andThen(semaphore.withPermit(Effect.yieldNow), work)"
  },
  {
    fault: "a short text waits for the pieces of long ones",
    file: reads,
    text: "takeTurns(yield* Semaphore.make(furtherMax))",
    instead: "first"
  },
  {
    fault: "long transcripts are in memory side by side",
    file: reads,
    text: "const one = takeTurns(yield* Semaphore.make(1))",
    instead: "const one = takeTurns(yield* Semaphore.make(9))"
  },
  {
    fault: "a rendering that nobody has read yet counts as sent",
    file: sharedSlots,
    text: "own.takeScoped(1)",
    instead: "Effect.scoped(own.takeScoped(1))"
  },
  {
    fault: "the checks of URLs of all workspaces have no bound together",
    file: sharedSlots,
    text: "all.takeScoped(1)",
    instead: "Effect.scoped(all.takeScoped(1))"
  },
  {
    fault: "a status has no comma between two parts of its transcript",
    file: jobText,
    text: 'part.segments.length > 0 ? "," : ""',
    instead: '!isLast ? "," : ""'
  },
  {
    fault: "a long status ends after the first part",
    file: jobText,
    text: "next: isLast ? Option.none() : Option.some({ count, durationMillis, language, next })",
    instead: "next: Option.none()"
  },
  {
    fault: "a part of a transcript leaves a segment out",
    file: memory("MemoryJobStore.ts"),
    text: "Option.some({ piece: 0, offset: to })",
    instead: "Option.some({ piece: 0, offset: to + 1 })"
  },
  {
    fault: "a page of versions ends after those that fit",
    file: core("services/VersionsText.ts"),
    text: "next >= end ||",
    instead: "next > from ||"
  },
  {
    fault: "versions are read together whatever their size",
    file: memory("preset/PresetPages.ts"),
    text: "index > 0 && byteLength > byteMax",
    instead: "false"
  }
]
