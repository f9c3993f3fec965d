/** Runs contracts with Vitest. No other file in this folder depends on a test runner. */
import { describe, it } from "@effect/vitest"
import { Duration, type Layer } from "effect"
import { type Advance, type Contract, caseTimeMax, run } from "./Contract.ts"

/** A case that an adapter cannot pass, and the reason. */
export interface Skip {
  readonly test: string
  readonly reason: string
}

export interface Options<Ports> {
  readonly skip?: ReadonlyArray<Skip>
  /** Titles of the cases to run, listed under the reason for each group. Default: all cases. */
  readonly only?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Ages all stored data. Needed only for an adapter that does not use Effect's `Clock`. */
  readonly advance?: Advance<Ports>
}

/** Registers a contract's cases for one adapter. */
export type Suite<Ports> = <R = never>(
  /** The adapter's name in the report. */
  name: string,
  /** The adapter's layer, which is built for each case and initially empty. */
  layer: Layer.Layer<Ports | R, unknown>,
  options?: Options<Ports | R>
) => void

/**
 * Vitest's time limit. A case has a shorter limit of its own, which fails with a better message.
 */
const timeoutMillis = 2 * Duration.toMillis(caseTimeMax)

/** Creates the suites for some contracts. A suite throws an error if a title matches no case. */
export const suitesOf =
  <Ports>(contracts: ReadonlyArray<Contract<Ports>>): Suite<Ports> =>
  (name, layer, { advance, only, skip = [] } = {}) => {
    const reasons = new Map(skip.map(({ reason, test }) => [test, reason]))
    const chosen = only && new Set(Object.values(only).flat())
    const titles = new Set(contracts.flatMap(({ cases }) => cases.map(({ title }) => title)))
    const stray = [...reasons.keys(), ...(chosen ?? [])].find((test) => !titles.has(test))
    if (stray !== undefined) throw new Error(`${name}: no case is called "${stray}"`)
    const registered = new Set<unknown>()
    for (const { advance: usual, cases, port } of contracts) {
      // Several contracts can contain a case with the same title.
      const wanted = cases.filter(
        (each) => !registered.has(each) && (chosen === undefined || chosen.has(each.title))
      )
      for (const each of wanted) registered.add(each)
      if (wanted.length > 0) {
        describe(`${port} (${name})`, () => {
          for (const each of wanted) {
            const reason = reasons.get(each.title)
            const test = () => run(each, { layer, advance: advance ?? usual })
            if (reason === undefined) it.live(each.title, test, timeoutMillis)
            else it.skip(`${each.title} (skipped: ${reason})`, () => {})
          }
        })
      }
    }
  }

export const suiteOf = <Ports>(contract: Contract<Ports>): Suite<Ports> => suitesOf([contract])
