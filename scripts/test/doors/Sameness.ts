/**
 * What it takes for a method of a host to be the same as an operation of the API: every parameter
 * and every field that the description names has a counterpart, by its own name in camel case or by
 * one that a row tells; or the row says why there is none.
 */
import type { operations, webhooks } from "@verbatim/client"
import type { Verbatim } from "@verbatim/embed"

/** All but what the server calls itself. */
export type OperationId = Exclude<keyof operations, keyof webhooks>

/** Why something has no counterpart. */
export interface Without {
  readonly without: string
}

/** Says why something has no counterpart. */
export const without = (reason: string): Without => ({ without: reason })

type Camel<Name extends string> = Name extends `${infer Head}${"_" | "-"}${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** The fields that a type names; of a union, those of all its members. */
type Named<A> = A extends unknown
  ? keyof { [Key in keyof A as string extends Key ? never : Key & string]: Key }
  : never

type Plain = AbortSignal | Blob | Date | Uint8Array | boolean | number | string | null | undefined

/** Deepest field that is looked at. */
type DepthMax = 5

/** How a place goes on below a field; nothing where it ends there. */
type Below<A, Depth extends ReadonlyArray<1>> = Depth["length"] extends DepthMax
  ? ""
  : A extends Plain
    ? ""
    : A extends ReadonlyArray<infer Each>
      ? Below<Each, [...Depth, 1]>
      : [Named<A>] extends [never]
        ? ""
        : {
            [Key in Named<A>]: Join<Key, Below<Field<A, Key>, [...Depth, 1]>>
          }[Named<A>]

type Field<A, Key> = A extends unknown ? (Key extends keyof A ? A[Key] : never) : never

type Join<Key extends string, Rest> = Rest extends ""
  ? Camel<Key>
  : `${Camel<Key>}.${Rest & string}`

/** What is around things that were asked for. */
type Envelope = "data" | "items" | "jobs"

/** All ends of fields, as `designatedVersion.version`. An envelope shows what is in it. */
type Ends<A> = Opened<Below<A, []>>

type Opened<Place> = Place extends `${Envelope}.${infer Inner}` ? Inner : Place

/** All beginnings of a place as well: what is in a field may have no names. */
type Places<A> = Beginnings<Ends<A>>

type Beginnings<Place> = Place extends `${infer Head}.${infer Tail}`
  ? Head | `${Head}.${Beginnings<Tail>}`
  : Place

type Operation<Id extends OperationId> = operations[Id]

type ParametersOf<Id extends OperationId> = Operation<Id>["parameters"]

type Content<A> = A extends { readonly content: infer Each } ? Each[keyof Each] : never

type Body<Id extends OperationId> =
  Operation<Id> extends { readonly requestBody?: infer Given } ? Content<NonNullable<Given>> : never

/** Operations whose body is somebody else's: it is handed on as it is. */
type OfProviders =
  | "presets.createFromChatCompletions"
  | "presets.createFromMessages"
  | "presets.createFromResponses"
  | `resolutions.${string}`

type BodyFields<Id extends OperationId> = Id extends OfProviders
  ? [Body<Id>] extends [never]
    ? never
    : "body"
  : Camel<Named<Body<Id> extends ReadonlyArray<infer Each> ? Each : Body<Id>>>

/** Whatever is asked for: parameters of path, query and headers, and fields of the body. */
type Asked<Id extends OperationId> = Exclude<
  | Camel<Named<NonNullable<ParametersOf<Id>["path"]>>>
  | Camel<Named<NonNullable<ParametersOf<Id>["query"]>>>
  | Camel<Named<NonNullable<ParametersOf<Id>["header"]>>>
  | BodyFields<Id>,
  ""
>

type Answer<Id extends OperationId> =
  Operation<Id> extends { readonly responses: { readonly 200: infer Given } }
    ? Content<Given>
    : never

/** Whatever is told; a transcript in one of its forms is told as a whole. */
type Told<Id extends OperationId> = Id extends "transcription.result"
  ? "body"
  : Exclude<Ends<Answer<Id>>, "">

type Method = (...given: Array<never>) => unknown

/** Where arguments stand: names of fields, and numbers of arguments. */
type Taken<M> = M extends Method
  ?
      | Exclude<Places<NonNullable<Parameters<M>[number]>>, "">
      | Extract<keyof Parameters<M>, `${number}`>
  : never

type Given<M> = M extends Method ? Exclude<Places<Awaited<ReturnType<M>>>, ""> : never

/** The names that are not their own counterpart: exactly these have to be told. */
type Table<Wanted, Known> = {
  readonly [Name in Exclude<Wanted, Known> & string]: Known | Without
}

/** A method of what `open` gives, by its path. */
type MethodAt<Path extends string, A = Verbatim> = Path extends `${infer Head}.${infer Tail}`
  ? Head extends keyof A
    ? MethodAt<Tail, A[Head]>
    : never
  : Path extends keyof A
    ? Extract<A[Path], Method>
    : never

/** Methods that do together what an operation does. */
export interface Row {
  readonly methods: ReadonlyArray<string>
  readonly differences: { readonly takes: object; readonly gives: object }
}

/** What a row tells that needs no telling is an error as well. */
type Exact<Told, Wanted> = Told & { readonly [Name in Exclude<keyof Told, keyof Wanted>]: never }

type Takes<Id extends OperationId, Path extends string> = Table<Asked<Id>, Taken<MethodAt<Path>>>

type Gives<Id extends OperationId, Path extends string> = Table<Told<Id>, Given<MethodAt<Path>>>

/** Says which methods do what an operation does; compiles when nothing is forgotten. */
export const same = <
  Id extends OperationId,
  const Path extends string,
  const TakesAs extends Takes<Id, Path>,
  const GivesAs extends Gives<Id, Path>
>(
  _id: Id,
  methods: ReadonlyArray<Path>,
  differences: {
    readonly takes: Exact<TakesAs, Takes<Id, Path>>
    readonly gives: Exact<GivesAs, Gives<Id, Path>>
  }
): Row => ({ methods, differences })
