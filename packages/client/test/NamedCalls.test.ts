/**
 * What operations take and answer, as the description says, is what calls by name send and give: a
 * parameter, a field or an operation that the client forgets is found here.
 */
import { createClient } from "@verbatim/client"
import { document } from "@verbatim/http/description"
import { assert, describe, it } from "vitest"
import { type NamedCall, namedCalls } from "./NamedCalls.ts"

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const { components, paths } = document() as unknown as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const followed = ({ $ref, ...schema }: Schema): Schema =>
  $ref === undefined ? schema : (components.schemas[$ref.split("/").at(-1) ?? ""] ?? {})

const operations = Object.entries(paths).flatMap(([template, { servers: _, ...methods }]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, operation, template }))
)

const json = "application/json"

/** What the fields of the body are called, where the client writes them. */
const fieldsOf = ({ requestBody }: Operation): ReadonlyArray<string> =>
  Object.keys(followed(requestBody?.content[json]?.schema ?? {}).properties ?? {})

/** What is answered: it comes back as it is. */
const answer = { data: [{ here: "it is" }], next_cursor: null, total_count: 1 }

const answerOf = ({ responses }: Operation): Response => {
  const [type] = Object.keys(responses[200]?.content ?? {})
  if (type === undefined) return new Response(null, { status: 204 })
  if (type === json) return Response.json(answer)
  return new Response("id: 2\nevent: reset\ndata: {}\n\n", { headers: { "content-type": type } })
}

/** Makes the call, and gives what was sent and what came of it. */
const make = async ({ call }: NamedCall, operation: Operation) => {
  const sent: Array<Request> = []
  const client = createClient({
    baseUrl: "https://verbatim.example",
    retry: false,
    fetch: async (request) => {
      sent.push(request)
      return answerOf(operation)
    }
  })
  const came = await call(client)
  const [request] = sent
  assert.strictEqual(sent.length, 1)
  if (request === undefined) throw new Error("Nothing was sent")
  return { came, request, text: await request.text() }
}

/** Names of what was sent beside the path. */
const namesIn = (request: Request, body: unknown): ReadonlyArray<string> => [
  ...new URL(request.url).searchParams.keys(),
  ...request.headers.keys(),
  ...Object.keys(Object(body))
]

describe("every operation by its name", () => {
  for (const { method, operation, template } of operations) {
    const { operationId } = operation
    const row = (namedCalls as Readonly<Record<string, (typeof namedCalls)["usage.read"]>>)[
      operationId
    ]
    it(operationId, async () => {
      if (row === undefined) throw new Error("There is no row")
      if ("unnamed" in row) return assert.isNotEmpty(row.unnamed)
      const { came, request, text } = await make(row, operation)

      assert.strictEqual(request.method, method.toUpperCase())
      const pattern = `^/v1${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`
      assert.match(new URL(request.url).pathname, new RegExp(pattern))

      const body: unknown = text === "" ? undefined : JSON.parse(text)
      if (row.body !== undefined) assert.deepStrictEqual(body, row.body)
      const wanted = [
        ...(operation.parameters ?? [])
          .filter((parameter) => parameter.in !== "path")
          .map(({ name }) => name),
        ...(row.body === undefined ? fieldsOf(operation) : [])
      ]
      const forgotten = wanted.filter((name) => !namesIn(request, body).includes(name))
      assert.sameMembers(forgotten, Object.keys(row.without ?? {}))

      if (operation.responses[200]?.content?.[json] === undefined) return
      const isWhole = JSON.stringify(came) === JSON.stringify(answer)
      assert.deepStrictEqual(came, isWhole ? answer : answer.data)
    })
  }
})
