/**
 * Words that a part of the code may not say, each with what to say instead. Core has no clock, no
 * chance and no input or output of its own; an adapter stores decisions and takes none.
 */
import { findAll, type Rule } from "./Source.ts"

interface Word {
  readonly word: string
  readonly pattern: RegExp
  readonly instead: string
}

/** A global, not a member of something and not the key of an object. */
const global = (name: string): RegExp => new RegExp(`(?<![.\\w$])${name}\\b(?!\\??\\s*:)`)

/** What core may not mention. */
export const coreWords: ReadonlyArray<Word> = [
  { word: "Date", pattern: global("Date"), instead: "Clock and DateTime of effect" },
  { word: "performance", pattern: global("performance"), instead: "Clock of effect" },
  { word: "Math.random", pattern: /\bMath\s*\.\s*random\b/, instead: "Random of effect" },
  {
    word: "crypto",
    pattern: /(?<![.\w$])crypto\s*\./,
    instead: "Random of effect, or effect/crypto"
  },
  {
    word: "setTimeout",
    pattern: global("set(?:Timeout|Interval|Immediate)"),
    instead: "Effect.sleep, Effect.timeout or Schedule"
  },
  { word: "queueMicrotask", pattern: global("queueMicrotask"), instead: "Effect.yieldNow" },
  {
    word: "process",
    pattern: /(?<![.\w$])process\s*[.[]/,
    instead: "Config of effect, read in packages/verbatim"
  },
  { word: "console", pattern: /(?<![.\w$])console\s*[.[]/, instead: "Effect.log" },
  { word: "fetch", pattern: /(?<![.\w$])fetch\s*\(/, instead: "the port MediaFetcher" },
  { word: "Buffer", pattern: global("Buffer"), instead: "Uint8Array and effect/Encoding" },
  { word: "globalThis", pattern: global("globalThis"), instead: "a service of effect or a port" },
  {
    word: "async",
    pattern: /(?<![.\w$])async\b(?=\s*[\w$(*<])/,
    instead: "Effect.fn or Effect.gen"
  },
  { word: "await", pattern: global("await"), instead: "yield* of an Effect" },
  { word: "Promise", pattern: global("Promise"), instead: "Effect" },
  { word: "try", pattern: /(?<![.\w$])try\s*\{/, instead: "Effect.try, Result.try or a schema" },
  {
    word: "throw",
    pattern: global("throw"),
    instead: "Effect.fail for a refusal, Effect.die for a broken invariant"
  }
]

/** What adapters may not mention: a store keeps what it is given. */
export const adapterWords: ReadonlyArray<Word> = [
  {
    word: "transition",
    pattern: /(?<![\w$])transition\b(?!\??\s*:)/,
    instead: "the service of core, which decides before it commits"
  }
]

const says =
  (root: string, words: ReadonlyArray<Word>): Rule =>
  (source) =>
    source.path.startsWith(root)
      ? words.flatMap(({ instead, pattern, word }) =>
          findAll(source, {
            pattern,
            rule: "vocabulary",
            advice: `no ${word} here: use ${instead}`
          })
        )
      : []

/** The rules, one for each part of the code that has a list. */
export const vocabulary: ReadonlyArray<Rule> = [
  says("packages/core/src/", coreWords),
  says("packages/adapters/src/", adapterWords)
]
