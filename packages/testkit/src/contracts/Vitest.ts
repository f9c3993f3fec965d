/**
 * The glue between contracts and Vitest, and the only file of the contracts that knows a runner.
 */
import { describe, it } from "@effect/vitest"
import type { Layer } from "effect"
import { type Advance, type Contract, run } from "./Contract.ts"

/** A case that an adapter cannot pass, and why. */
export interface Skip {
  /** The title of the case. */
  readonly test: string
  readonly reason: string
}

/** What an adapter needs besides its layer. */
export interface Options<Ports> {
  readonly skip?: ReadonlyArray<Skip>
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
const timeoutMillis = 40_000

/** The suite of a contract. It throws when a skip names no case, which would skip nothing. */
export const suiteOf =
  <Ports>({ advance: usual, cases, port }: Contract<Ports>): Suite<Ports> =>
  (name, layer, { advance = usual, skip = [] } = {}) => {
    const reasons = new Map(skip.map(({ reason, test }) => [test, reason]))
    const stray = [...reasons.keys()].find((test) => cases.every(({ title }) => title !== test))
    if (stray !== undefined) {
      throw new Error(`${port} (${name}): no case to skip is called "${stray}"`)
    }
    describe(`${port} (${name})`, () => {
      for (const each of cases) {
        const reason = reasons.get(each.title)
        if (reason === undefined) {
          it.live(each.title, () => run(each, { layer, advance }), timeoutMillis)
        } else {
          it.skip(`${each.title} (skipped: ${reason})`, () => {})
        }
      }
    })
  }
