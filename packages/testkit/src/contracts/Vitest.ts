/**
 * The glue between contracts and Vitest, and the only file of the contracts that knows a runner.
 */
import { describe, it } from "@effect/vitest"
import { Duration, type Layer } from "effect"
import { type Advance, type Contract, caseTimeMax, run } from "./Contract.ts"

/** A case that an adapter cannot pass, and why. */
export interface Skip {
  /** The title of the case. */
  readonly test: string
  readonly reason: string
}

/** What an adapter needs besides its layer. */
export interface Options<Ports> {
  readonly skip?: ReadonlyArray<Skip>
  /** Titles of the cases to run, by the reason for choosing them; all without it. */
  readonly only?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Makes everything stored older; only for an adapter whose time is not Effect's `Clock`. */
  readonly advance?: Advance<Ports>
}

/** Registers the cases of a contract for one adapter. */
export type Suite<Ports> = <R = never>(
  /** The adapter, as the report names it. */
  name: string,
  /** Built anew, and empty, for each case. */
  layer: Layer.Layer<Ports | R, unknown>,
  options?: Options<Ports | R>
) => void

/** More than a case takes by its own limit, so that the case's own failure is reported. */
const timeoutMillis = 2 * Duration.toMillis(caseTimeMax)

/** The suites of some contracts. They throw when a title names no case, which would do nothing. */
export const suitesOf =
  <Ports>(contracts: ReadonlyArray<Contract<Ports>>): Suite<Ports> =>
  (name, layer, { advance, only, skip = [] } = {}) => {
    const reasons = new Map(skip.map(({ reason, test }) => [test, reason]))
    const chosen = only && new Set(Object.values(only).flat())
    const titles = new Set(contracts.flatMap(({ cases }) => cases.map(({ title }) => title)))
    const stray = [...reasons.keys(), ...(chosen ?? [])].find((test) => !titles.has(test))
    if (stray !== undefined) throw new Error(`${name}: no case is called "${stray}"`)
    for (const { advance: usual, cases, port } of contracts) {
      const wanted = cases.filter(({ title }) => chosen === undefined || chosen.has(title))
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

/** The suite of a contract. */
export const suiteOf = <Ports>(contract: Contract<Ports>): Suite<Ports> => suitesOf([contract])
