/**
 * Uses the compiler to check request bodies against the parameter types of the current SDKs, which
 * declare what the endpoints accept.
 */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Format, JsonObject } from "#src/index"

/** A request body and the endpoint that it is meant for. */
export interface JudgedBody {
  readonly format: Format
  /** Whether this is a gateway's endpoint instead of a provider's. */
  readonly isGateway: boolean
  readonly body: JsonObject
}

const root = join(import.meta.dirname, "../../../..")

const header = `import type OpenAI from "openai"
import type Anthropic from "@anthropic-ai/sdk"
import type { ChatRequest$Outbound } from "@openrouter/sdk/models/chatrequest.js"
import type { MessagesRequest$Outbound } from "@openrouter/sdk/models/messagesrequest.js"
import type { ResponsesRequest$Outbound } from "@openrouter/sdk/models/responsesrequest.js"
// Fields that the gateway's SDK adds by itself.
type Filled = "stream" | "service_tier" | "store"
type Gateway<A> = Omit<A, Filled> & { readonly [name in Filled & keyof A]?: A[name] }
`

const makers: Readonly<Record<Format, string>> = {
  responses: "OpenAI.Responses.ResponseCreateParamsNonStreaming",
  chatCompletions: "OpenAI.Chat.ChatCompletionCreateParamsNonStreaming",
  messages: "Anthropic.MessageCreateParamsNonStreaming"
}

const gateways: Readonly<Record<Format, string>> = {
  responses: "Gateway<ResponsesRequest$Outbound>",
  chatCompletions: "Gateway<ChatRequest$Outbound>",
  messages: "Gateway<MessagesRequest$Outbound>"
}

/**
 * Writes the body as a literal, because the compiler rejects unknown properties only in literals.
 */
const declare = ({ body, format, isGateway }: JudgedBody, index: number): string =>
  `export const b${index}: ${(isGateway ? gateways : makers)[format]} = ${JSON.stringify(body)}`

const options = {
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  types: []
}

const compile = (folder: string): Promise<string> =>
  new Promise((settle) =>
    execFile(
      join(root, "node_modules/.bin/tsc"),
      ["-p", folder, "--pretty", "false"],
      { maxBuffer: 256 * 1_024 * 1_024 },
      (_, out, err) => settle(out + err)
    )
  )

/** A body that the compiler rejects, with the first error message. */
export interface RefusedBody extends JudgedBody {
  readonly reason: string
}

/** Checks all bodies in one compiler run, and returns the rejected bodies. */
export const judge = async (
  bodies: ReadonlyArray<JudgedBody>
): Promise<ReadonlyArray<RefusedBody>> => {
  // The folder is inside the project, where the compiler finds the SDKs.
  const cache = join(root, "node_modules/.cache")
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "sdk-judge-"))
  try {
    const first = header.split("\n").length
    await writeFile(join(folder, "bodies.ts"), `${header}${bodies.map(declare).join("\n")}\n`)
    const files = ["bodies.ts"]
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files })
    )
    const output = await compile(folder)
    const refused = new Map<number, RefusedBody>()
    for (const [, line = "", reason = ""] of output.matchAll(/bodies\.ts\((\d+),\d+\): (.*)/g)) {
      const index = Number(line) - first
      const body = bodies[index]
      if (body === undefined) throw new Error(`The compiler did not start: ${reason}`)
      if (!refused.has(index)) refused.set(index, { ...body, reason })
    }
    if (refused.size === 0 && output.trim() !== "") throw new Error(output)
    return [...refused.values()]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
