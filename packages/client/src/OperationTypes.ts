/** The parameter and result types of every operation, derived from the OpenAPI document. */
import type { CallOptions, ConditionOptions, CreateOptions, InferenceBody } from "./Calls.ts"
import type { components, operations } from "./generated/Description.ts"

type Schemas = components["schemas"]

type Id = keyof operations

type Parameters<Of extends Id> = operations[Of]["parameters"]

/** Makes all lists in a type readonly, at any depth. */
type ReadonlyLists<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<ReadonlyLists<Item>>
    : A extends object
      ? { [Name in keyof A]: ReadonlyLists<A[Name]> }
      : A

/** A schema without its index signature, so that misspelled fields do not compile. */
export type NamedFields<A> = {
  [Name in keyof A as string extends Name ? never : Name]: A[Name]
}

/** Operations that take inference requests of provider SDKs as bodies. */
type InferenceOperation =
  | "presets.createFromChatCompletions"
  | "presets.createFromMessages"
  | "presets.createFromResponses"
  | "presets.preview"
  | "presets.resolve"
  | "presets.resolveNamed"

/** The type of an operation's body. */
export type Body<Of extends Id> = operations[Of] extends {
  requestBody?: { content: { "application/json": infer Json } }
}
  ? Of extends InferenceOperation
    ? InferenceBody<Json>
    : ReadonlyLists<Json>
  : never

/** Accepts dates for timestamps, lists for comma-separated values, and booleans. */
type Value<Name, A> =
  | A
  | (Name extends "at" | "from" | "to" | "created_after" | "created_before"
      ? string extends A
        ? Date
        : never
      : never)
  | ("true" extends A ? boolean : never)
  | (Name extends "wins" ? ReadonlyArray<string> : never)

/** The type of an operation's query, without `dry_run`: `preview` replaces it. */
type Query<Of extends Id> =
  Parameters<Of> extends { query?: infer Fields }
    ? [NonNullable<Fields>] extends [never]
      ? unknown
      : {
          readonly [Name in keyof NonNullable<Fields> as Exclude<Name, "dry_run">]:
            | Value<Name, NonNullable<Fields>[Name]>
            | undefined
        }
    : unknown

type Headers<Of extends Id> =
  Parameters<Of> extends { header?: infer Sent } ? keyof NonNullable<Sent> : never

/** The query, headers and signal of an operation. */
export type Options<Of extends Id> = Query<Of> &
  CallOptions &
  ("idempotency-key" extends Headers<Of> ? CreateOptions : unknown) &
  ("if-match" extends Headers<Of> ? ConditionOptions : unknown)

type Json<Of extends Id> = operations[Of]["responses"] extends {
  200: { content: { "application/json": infer Answered } }
}
  ? Answered
  : undefined

/** The created or updated preset, and the new version if it was only staged. */
export interface CreatedPreset extends Readonly<Schemas["Preset"]> {
  readonly staged_version?: Schemas["PresetVersion"]
}

/** The result type of an operation: the response, or only its `data` if it has no other field. */
export type Answer<Of extends Id> = Of extends `presets.createFrom${string}`
  ? CreatedPreset
  : Json<Of> extends { data: infer Data }
    ? keyof Json<Of> extends "data"
      ? Data
      : Json<Of>
    : Json<Of>

/**
 * The result of a list method. Awaiting the result returns one page; `for await` returns all
 * elements from that page onwards.
 */
export type Listed<Page> = Promise<Page> &
  AsyncIterable<Page extends { data: ReadonlyArray<infer Item> } ? Item : never>
