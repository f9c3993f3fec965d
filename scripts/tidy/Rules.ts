/** All rules in the order in which they are told. */
import { directions } from "./Directions.ts"
import { names } from "./Names.ts"
import { outbound } from "./Outbound.ts"
import { shape } from "./Shape.ts"
import { sizes } from "./Sizes.ts"
import type { Finding, Rule, Source } from "./Source.ts"
import { vocabulary } from "./Vocabulary.ts"

/** The `dependencies` of each package by its folder. */
export type Dependencies = ReadonlyMap<string, ReadonlyArray<string>>

const rules = (dependencies: Dependencies): ReadonlyArray<Rule> => [
  directions(dependencies),
  outbound,
  ...vocabulary,
  ...sizes,
  names,
  ...shape
]

/** What is to be done in these files, by path and line. */
export const findings = (
  sources: ReadonlyArray<Source>,
  dependencies: Dependencies
): ReadonlyArray<Finding> =>
  sources
    .flatMap((source) => rules(dependencies).flatMap((rule) => rule(source)))
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
