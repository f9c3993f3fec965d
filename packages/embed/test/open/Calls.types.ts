/**
 * The fields that methods take by their types are those that the table of calls knows: a field that
 * the types allow and the table refuses, or the other way round, does not compile.
 */
import type { Verbatim, WorkspaceReference } from "@verbatim/embed"
import type {
  correctionCalls,
  eventCalls,
  jobCalls,
  mainCalls,
  playingCalls,
  presetCalls,
  workspaceCalls
} from "#src/open/Calls"

type Method = (...given: Array<never>) => unknown

type NamesOf<Each> = Each extends { readonly names: ReadonlyArray<infer Name> } ? Name : never

type Known<Call> = Call extends ReadonlyArray<unknown> ? NamesOf<Call[number]> : never

type Named<A> = A extends object ? (A extends ReadonlyArray<unknown> ? never : keyof A) : never

/** Names of speakers are no fields. */
type Free = "jobs.corrections.nameSpeakers"

/** Where types and table differ, by the path of the method. A look-up judges a workspace. */
type Differing<Calls, Methods, Path extends string, Judged = never> = {
  [Name in keyof Calls & keyof Methods & string]: Methods[Name] extends Method
    ? `${Path}${Name}` extends Free
      ? never
      : Differs<
            Known<Calls[Name]>,
            Named<Exclude<Parameters<Methods[Name]>[number], Judged>>
          > extends never
        ? never
        : `${Path}${Name}`
    : never
}[keyof Calls & keyof Methods & string]

type Differs<One, Other> = Exclude<One, Other> | Exclude<Other, One>

export type Differences =
  | Differing<typeof presetCalls, Verbatim["presets"], "presets.">
  | Differing<typeof jobCalls, Verbatim["jobs"], "jobs.">
  | Differing<typeof playingCalls, Verbatim["jobs"], "jobs.">
  | Differing<typeof eventCalls, Verbatim["jobs"], "jobs.">
  | Differing<typeof correctionCalls, Verbatim["jobs"]["corrections"], "jobs.corrections.">
  | Differing<typeof mainCalls, Verbatim, "">
  | Differing<typeof workspaceCalls, Verbatim["workspaces"], "workspaces.", WorkspaceReference>

export const none: [Differences] extends [never] ? true : Differences = true

interface Misspelt {
  readonly list: (wanted?: { readonly staus?: string }) => Promise<void>
}

// @ts-expect-error the table knows no such field
export const found: Differing<typeof presetCalls, Misspelt, "presets."> extends never
  ? true
  : never = true
