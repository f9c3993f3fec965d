/** Calls the service of presets for whoever asks. */
import { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { Run } from "./Host.ts"
import type { Asker, Owners } from "./Workspaces.ts"

/** What was asked for, and for whom. */
type Asked<Wanted> = Wanted & { readonly principal: Principal }

/** Runs an operation for whoever asks. */
export type Ask = <Wanted extends Asker, A, E>(
  wanted: Wanted,
  operation: (presets: Presets["Service"], asked: Asked<Wanted>) => Effect.Effect<A, E>
) => Promise<A>

/** A version by its number, by a label, or as `designated` or `latest`. */
export type VersionPoint = number | string

/** A preset of a workspace. */
export interface PresetReference extends Asker {
  readonly slug: string
}

/** A part of a list. */
export interface PageWanted {
  readonly offset?: number
  readonly limit?: number
}

/** A page, and how many there are in all. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

const usualLimit = 50

/** The part that is asked for. */
export const pageOf = ({ limit = usualLimit, offset = 0 }: PageWanted) => ({ limit, offset })

/** The condition that a pointer means that version; null: that there is none. */
export const conditionOf = (version: string | null | undefined) => {
  if (version === undefined) return {}
  return version === null
    ? { condition: { noneMatch: "any" as const } }
    : { condition: { match: [version] } }
}

/** The one who asks, with scopes of labels besides: what needs none of them goes on as before. */
export const withScopes = (
  principal: Principal,
  scopes: ReadonlyArray<string> | undefined
): Principal =>
  scopes === undefined ? principal : { ...principal, scopes: ["presets:write", ...scopes] }

/** Makes it for a process. */
export const makeAsk =
  ({ owners, run }: { readonly owners: Owners; readonly run: Run }): Ask =>
  (wanted, operation) =>
    run(
      Effect.gen(function* () {
        const presets = yield* Presets
        const { principal } = yield* owners.find(wanted)
        return yield* operation(presets, { ...wanted, principal })
      })
    )
