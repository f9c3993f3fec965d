/** Faults in the cache of `presetFetch`: what would make an answer old, wrong, or another's. */
import type { Mutant } from "./Mutant.ts"

const pins = (name: string): string => `packages/resolution/src/pins/${name}.ts`

const tests = ["packages/testkit/test/simulation/PinSimulation.test.ts"]

/**
 * For two faults that take many hundreds of seeds: two questions about one reference cross, the
 * preset is archived in the second between their readings and stays so, and then somebody calls
 * within the milliseconds in which the older answer is young, or when a question fails at once.
 */
const examples = ["packages/resolution/test/pins/PinReader.test.ts"]

const faults: ReadonlyArray<Mutant> = [
  {
    fault: "the age of a pin counts from its answer",
    file: pins("PinReader"),
    text: "const pin = { pinned, askedAt }",
    instead: "const pin = { pinned, askedAt: now() }"
  },
  {
    fault: "an answer to an earlier question replaces a newer one",
    file: pins("PinEntry"),
    text: "const isLate = number <= entry.settled",
    instead: "const isLate = number < 0"
  },
  {
    fault: "ages are told by the clock on the wall",
    file: pins("Moment"),
    text: "return { forwardMillis: monotonicMillis + gainedMillis, ",
    instead: "return { forwardMillis: wallMillis, "
  },
  {
    fault: "ages are told by a clock that stands still while the machine sleeps",
    file: pins("Moment"),
    text: "gainedMillis += Math.max(0, gain)",
    instead: "gainedMillis += 0"
  },
  {
    fault: "a clock that was set back hides a sleep",
    file: pins("Moment"),
    text: "gain > 0 || gain < -jitterMillis) furthest",
    instead: "gain > 0) furthest"
  },
  {
    fault: "a reference that means nothing is given from the cache",
    file: pins("PinEntry"),
    text: 'pin: outcome._tag === "Answered" ? outcome.pin : undefined,',
    instead: 'pin: outcome._tag === "Answered" ? outcome.pin : entry.pin,'
  },
  {
    fault: "what was asked before is kept after an error",
    file: pins("PinEntry"),
    text: "settled: Math.max(entry.settled, number, entry.questions.at(-1)?.number ?? 0)",
    instead: "settled: Math.max(entry.settled, number)",
    tests: examples
  },
  {
    fault: "an error that comes late is told and not believed",
    file: pins("PinEntry"),
    text: 'if (isLate && outcome._tag !== "Gone") return',
    instead: "if (isLate) return",
    tests: examples
  },
  {
    fault: "a caller that goes away ends the question of all",
    file: pins("PinReader"),
    text: "    const flight = joined ?? ask(reference, moment)\n",
    instead:
      "    const flight = joined ?? ask(reference, moment)\n" +
      '    signal?.addEventListener("abort", () => land(reference, ' +
      '{ _tag: "Failed", cause: 0 }, () => true))\n'
  },
  {
    fault: "a caller waits on when its signal is aborted",
    file: pins("PinReader"),
    text: "await unlessAborted(flight.told, signal)",
    instead: "await flight.told"
  },
  {
    fault: "a question that is not answered is waited for",
    file: pins("PinReader"),
    text: "await Promise.race([answer, timeout])",
    instead: "await Promise.race([answer, timeout.catch(() => answer)])"
  },
  {
    fault: "a question that was sent too long ago is shared",
    file: pins("PinEntry"),
    text: "return isOpen && elapsedMillis(latest.sentAt, now) < limits.maxAge",
    instead: "return isOpen"
  },
  {
    fault: "an old answer is not said to be old",
    file: pins("PinEntry"),
    text: "{ pin, ageMillis, isStale: true }",
    instead: "{ pin, ageMillis, isStale: false }"
  },
  {
    fault: "an old answer serves for ever",
    file: pins("PinEntry"),
    text: "return mayServe(ageMillis, limits) ?",
    instead: "return mayServe(ageMillis - 1e12, limits) ?"
  },
  {
    fault: "a failure forgets what was known",
    file: pins("PinEntry"),
    text: "return { ...withoutQuestion(entry, number), trouble }",
    instead: "return { ...withoutQuestion(entry, number), pin: undefined, trouble }"
  },
  {
    fault: "an old answer is given without asking, long after a failure",
    file: pins("PinEntry"),
    text: "if (known !== undefined && isTroubled) return",
    instead: "if (known !== undefined) return"
  },
  {
    fault: "the fallback is used although the registry was reached",
    file: pins("PinReader"),
    text: "isReached ? undefined : (await fallback",
    instead: "isReached && false ? undefined : (await fallback",
    tests: examples
  }
]

export const pinMutants: ReadonlyArray<Mutant> = faults.map((fault) => ({ tests, ...fault }))
