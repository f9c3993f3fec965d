/** The types of what an operation of the API takes and gives, read from its description. */
import type { CallOptions, ConditionOptions, CreateOptions, MakersBody } from "./Calls.ts"
import type { components, operations } from "./generated/Description.ts"

type Schemas = components["schemas"]

type Id = keyof operations

type Parameters<Of extends Id> = operations[Of]["parameters"]

/** Lists may be readonly. */
type Given<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Given<Item>>
    : A extends object
      ? { [Name in keyof A]: Given<A[Name]> }
      : A

/** The fields that a schema names; a misspelled one is a mistake. */
export type NamedFields<A> = {
  [Name in keyof A as string extends Name ? never : Name]: A[Name]
}

/** The operations whose bodies are those of other makers' SDKs. */
type Makers =
  | "presets.createFromChatCompletions"
  | "presets.createFromMessages"
  | "presets.createFromResponses"
  | "presets.preview"
  | "presets.resolve"
  | "presets.resolveNamed"

/** The body of a call. */
export type Body<Of extends Id> = operations[Of] extends {
  requestBody?: { content: { "application/json": infer Json } }
}
  ? Of extends Makers
    ? MakersBody<Json>
    : Given<Json>
  : never

/** Takes dates for instants, lists for joined texts, and booleans. */
type Value<Name, A> =
  | A
  | (Name extends "at" | "from" | "to" | "created_after" | "created_before"
      ? string extends A
        ? Date
        : never
      : never)
  | ("true" extends A ? boolean : never)
  | (Name extends "wins" ? ReadonlyArray<string> : never)

/** The query of a call. In place of `dry_run` there is `preview`. */
type Query<Of extends Id> =
  Parameters<Of> extends { query?: infer Asked }
    ? [NonNullable<Asked>] extends [never]
      ? unknown
      : {
          readonly [Name in keyof NonNullable<Asked> as Exclude<Name, "dry_run">]:
            | Value<Name, NonNullable<Asked>[Name]>
            | undefined
        }
    : unknown

type Headers<Of extends Id> =
  Parameters<Of> extends { header?: infer Sent } ? keyof NonNullable<Sent> : never

/** The query, headers and signal of a call. */
export type Options<Of extends Id> = Query<Of> &
  CallOptions &
  ("idempotency-key" extends Headers<Of> ? CreateOptions : unknown) &
  ("if-match" extends Headers<Of> ? ConditionOptions : unknown)

type Json<Of extends Id> = operations[Of]["responses"] extends {
  200: { content: { "application/json": infer Answered } }
}
  ? Answered
  : undefined

/** A preset that was made, with the version that was only stored, where one was. */
export interface MadePreset extends Readonly<Schemas["Preset"]> {
  readonly staged_version?: Schemas["PresetVersion"]
}

/** The answer of a call: its `data` where it has nothing else. */
export type Answer<Of extends Id> = Of extends `presets.createFrom${string}`
  ? MadePreset
  : Json<Of> extends { data: infer Data }
    ? keyof Json<Of> extends "data"
      ? Data
      : Json<Of>
    : Json<Of>

/** A page, or with `for await` all elements of the list, from that page on. */
export type Listed<Page> = Promise<Page> &
  AsyncIterable<Page extends { data: ReadonlyArray<infer Item> } ? Item : never>
