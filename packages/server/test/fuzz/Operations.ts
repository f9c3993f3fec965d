/** The operations of the API, read from its own description: a new one needs no change here. */
import type { Schema } from "./FromSchema.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Operation {
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** What is read of the description. */
export interface Description {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** One operation: what a request to it may consist of. */
export interface Route {
  readonly method: string
  /** With names in braces, such as `/v1/presets/{slug}`. */
  readonly path: string
  readonly query: Readonly<Record<string, Schema>>
  readonly headers: Readonly<Record<string, Schema>>
  /** By content type. */
  readonly bodies: ReadonlyArray<readonly [type: string, schema: Schema]>
  /** Whether it takes the key of an operator. */
  readonly isOperators: boolean
}

const methods = ["get", "post", "put", "patch", "delete"] as const

const parametersIn = (operation: Operation, place: string) =>
  Object.fromEntries(
    (operation.parameters ?? []).flatMap((each) =>
      each.in === place ? [[each.name, each.schema]] : []
    )
  )

const rootOf = (servers: Description["servers"] | undefined): string =>
  (servers?.[0]?.url ?? "").replace(/\/$/, "")

/** All of them. */
export const routesOf = (description: Description): ReadonlyArray<Route> =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method): ReadonlyArray<Route> => {
      const operation = item[method] as Operation | undefined
      if (operation === undefined) return []
      const own = item.servers as Description["servers"] | undefined
      return [
        {
          method: method.toUpperCase(),
          path: `${rootOf(own ?? description.servers)}${path}`,
          query: parametersIn(operation, "query"),
          headers: parametersIn(operation, "header"),
          bodies: Object.entries(operation.requestBody?.content ?? {}).map(
            ([type, { schema }]) => [type, schema] as const
          ),
          isOperators: (operation.security ?? []).some((each) => "operator" in each)
        }
      ]
    })
  )
