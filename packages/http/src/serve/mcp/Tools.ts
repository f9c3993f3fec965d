/**
 * Defines the MCP tools. Each tool calls API operations; a tool that only forwards its arguments
 * needs no code. No tool changes the live version of a preset or moves a label.
 */
import { Modifier } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { PresetApi } from "../../contract/preset/PresetApi.ts"
import { ResolutionApi } from "../../contract/preset/ResolutionApi.ts"
import { CorrectionsApi } from "../../contract/transcription/CorrectionsApi.ts"
import { JobsApi } from "../../contract/transcription/JobsApi.ts"
import { TranscriptionApi } from "../../contract/transcription/TranscriptionApi.ts"
import {
  type ApiAnswer,
  type Arguments,
  type CallApi,
  InvalidArgument,
  type ToolResult,
  toResult
} from "./ApiCalls.ts"
import {
  bounds,
  readSegments,
  readTranscript,
  segmentsFormat,
  toIntegerSchema,
  waitForEnd
} from "./JobTools.ts"
import { type CalledOperation, describeCalled, type Json, toInputSchema } from "./ToolArguments.ts"

type Run = (call: CallApi, given: Arguments) => Effect.Effect<ToolResult, InvalidArgument>

/** A tool: its description for clients, and the function that runs it. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** Whether the tool only reads. */
  readonly isRead: boolean
  readonly inputSchema: ReturnType<typeof toInputSchema>
  readonly run: Run
}

const endpoints = {
  create: TranscriptionApi.endpoints.create,
  quote: TranscriptionApi.endpoints.quote,
  status: TranscriptionApi.endpoints.status,
  result: TranscriptionApi.endpoints.result,
  jobs: JobsApi.endpoints.list,
  corrections: CorrectionsApi.endpoints.list,
  segments: CorrectionsApi.endpoints.correctSegments,
  speakers: CorrectionsApi.endpoints.nameSpeakers,
  presets: PresetApi.endpoints.list,
  preset: PresetApi.endpoints.get,
  version: PresetApi.endpoints.version,
  draft: PresetApi.endpoints.createFromVersion,
  resolve: ResolutionApi.endpoints.resolve
}

const pick = (from: Json, names: Iterable<string>): Record<string, unknown> =>
  Object.fromEntries([...names].flatMap((name) => (name in from ? [[name, from[name]]] : [])))

const omit = (from: Json, name: string): Json => {
  const { [name]: _, ...rest } = from
  return rest
}

/** Adds fields to a JSON response, unless it is a refusal. */
const add = (answer: ApiAnswer, more: Json): ToolResult =>
  answer.status < 400
    ? { texts: [JSON.stringify({ ...JSON.parse(answer.text), ...more })] }
    : toResult(answer)

const price = {
  price_minutes: null,
  price:
    "The length of the recording, which is unknown before the recording is fetched and decoded. " +
    "The length is charged once, when the transcript is stored; a failed job is free."
}

const confirmation = "To transcribe the link, call transcribe_link with confirm: true"

const confirm = {
  type: "boolean",
  description: "True to submit the link. Otherwise, the tool returns a quote and submits nothing."
}

/** Fields that agents can set in a request with a link. */
const linkFields = ["url", "language", "summary", "speakers", "keywords"] as const

const reading = {
  format: {
    type: "string",
    enum: [...Modifier.literals, segmentsFormat],
    default: "paragraph_text",
    description:
      "The format of the transcript. `segments` has one JSON object per line, with the `index` " +
      "that corrections need, and returns the `version` that these indexes belong to."
  },
  offset: toIntegerSchema(bounds.offset),
  limit: toIntegerSchema(bounds.limit)
}

/** Forwards arguments to an operation. Arguments that are not parameters become the body. */
const forward =
  (operation: CalledOperation, fixed: Json = {}): Run =>
  (call, given) => {
    const isParameter = (name: string) => operation.inPath.has(name) || operation.inQuery.has(name)
    const fields = Object.keys(given).filter((name) => !isParameter(name))
    const body = { ...pick(given, fields), ...fixed }
    return Effect.map(
      call(operation, {
        parameters: given,
        ...(operation.method === "GET" ? {} : { body })
      }),
      toResult
    )
  }

/**
 * Converts a value to the text of a header. A value that a header cannot contain becomes empty, and
 * the API refuses an empty idempotency key.
 */
const toHeader = (value: unknown): string =>
  typeof value === "string" && /^[ -~]*$/.test(value) ? value : ""

/** Describes a tool with the same arguments as its operation. */
interface Described extends Omit<Tool, "inputSchema"> {
  readonly takes: Pick<CalledOperation, "properties" | "required">
}

type Operations = Readonly<Record<keyof typeof endpoints, CalledOperation>>

const makeLinkTools = ({ create, quote }: Operations): ReadonlyArray<Described> => [
  {
    name: "quote_transcription",
    description:
      "Checks a link, and returns its size if known, how it is charged, and the balance.",
    isRead: true,
    takes: { properties: pick(quote.properties, ["url"]), required: ["url"] },
    run: (call, given) =>
      Effect.map(call(quote, { body: given }), (answer) =>
        add(answer, { ...price, next: confirmation })
      )
  },
  {
    name: "transcribe_link",
    description:
      "Submits a link for transcription if `confirm` is true, and otherwise returns a quote.",
    isRead: false,
    takes: {
      properties: {
        ...pick(create.properties, linkFields),
        confirm,
        idempotency_key: {
          type: "string",
          description:
            "A key that makes it safe to repeat the call: the same key gets the same job."
        }
      },
      required: ["url"]
    },
    run: (call, { confirm, idempotency_key: key, ...body }) => {
      if (confirm !== true) {
        return Effect.map(call(quote, { body }), (answer) =>
          add(answer, { ...price, submitted: false, next: confirmation })
        )
      }
      const headers = key === undefined ? {} : { "idempotency-key": toHeader(key) }
      return Effect.map(call(create, { body, headers }), toResult)
    }
  }
]

const makeCorrectionTool = ({
  segments,
  speakers
}: Pick<Operations, "segments" | "speakers">): Described => ({
  name: "correct_transcription",
  description: "Corrects, splits and joins segments of a transcript, or names its speakers.",
  isRead: false,
  takes: {
    properties: {
      ...pick(segments.properties, ["id"]),
      version: {
        type: "integer",
        description:
          "The `version` at which the segments were read: nothing is written if another one is " +
          "current. Needed to split or join segments, and once they are split or joined."
      },
      segments: segments.body,
      speakers: speakers.body
    },
    required: ["id"]
  },
  run: (call, { id, segments: changes, speakers: names, version }) => {
    const headers = version === undefined ? {} : { "if-match": `"${Number(version)}"` }
    const about = { parameters: { id }, headers }
    if ((changes === undefined) === (names === undefined)) {
      const rule = "give either segments or speakers"
      return Effect.fail(new InvalidArgument({ name: "segments", rule }))
    }
    return Effect.map(
      changes === undefined
        ? call(speakers, { ...about, body: names })
        : call(segments, { ...about, body: changes }),
      toResult
    )
  }
})

const makeJobTools = ({
  corrections,
  jobs,
  result,
  status,
  ...operations
}: Operations): ReadonlyArray<Described> => [
  {
    name: "wait_for_transcription",
    description: "Waits until a job has ended, for at most 25 seconds, and returns its status.",
    isRead: true,
    takes: {
      properties: {
        ...pick(status.properties, ["id"]),
        seconds: toIntegerSchema(bounds.seconds)
      },
      required: ["id"]
    },
    run: (call, given) => waitForEnd({ call, operation: status }, given)
  },
  {
    name: "read_transcription",
    description: "Reads a transcript with its corrections, in parts of a limited size.",
    isRead: true,
    takes: {
      properties: { ...pick(result.properties, ["id"]), ...reading },
      required: ["id"]
    },
    run: (call, given) =>
      given.format === segmentsFormat
        ? readSegments({ call, operation: status, corrections }, given)
        : readTranscript({ call, operation: result }, given)
  },
  {
    name: "list_transcriptions",
    description:
      "Lists transcription jobs, newest first, without transcripts. With q, finds the jobs whose " +
      "transcripts contain all these words, and returns the passages.",
    isRead: true,
    takes: jobs,
    run: forward(jobs)
  },
  makeCorrectionTool(operations)
]

const makePresetTools = ({
  draft,
  preset,
  presets,
  resolve,
  version
}: Operations): ReadonlyArray<Described> => [
  {
    name: "list_presets",
    description: "Lists presets with their live versions.",
    isRead: true,
    takes: presets,
    run: forward(presets)
  },
  {
    name: "read_preset",
    description: "Reads a preset with its live version, or one of its versions.",
    isRead: true,
    takes: { properties: version.properties, required: ["slug"] },
    run: (call, given) =>
      (given.version === undefined ? forward(preset) : forward(version))(call, given)
  },
  {
    name: "resolve_preset",
    description: "Returns a request with everything that a preset adds; calls no model.",
    isRead: true,
    takes: {
      properties: {
        ...pick(resolve.properties, [...resolve.inPath, ...resolve.inQuery]),
        request: resolve.body
      },
      required: ["slug", "request"]
    },
    run: (call, { request, ...parameters }) =>
      Effect.map(call(resolve, { parameters, body: request }), toResult)
  },
  {
    name: "draft_preset_version",
    description:
      "Creates a staged version of a preset from another one; the live version does not change.",
    isRead: false,
    takes: { properties: omit(draft.properties, "stage"), required: draft.required },
    run: forward(draft, { stage: true })
  }
]

/**
 * Refuses arguments that a tool does not have, because a misspelt argument would otherwise be
 * silently ignored.
 */
const strictly =
  ({ inputSchema: { properties }, run }: Pick<Tool, "inputSchema" | "run">): Run =>
  (call, given) => {
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name))
    return unknown === undefined
      ? run(call, given)
      : Effect.fail(new InvalidArgument({ name: unknown.slice(0, 100), rule: "unknown" }))
  }

/** Creates all tools. Building the schemas takes a tenth of a second, so this is done only once. */
export const makeTools = (): ReadonlyArray<Tool> => {
  const { operations, schemas } = describeCalled(endpoints)
  const described = [
    ...makeLinkTools(operations),
    ...makeJobTools(operations),
    ...makePresetTools(operations)
  ]
  return described.map(({ takes, ...tool }) => {
    const inputSchema = toInputSchema(takes, schemas)
    return { ...tool, inputSchema, run: strictly({ inputSchema, run: tool.run }) }
  })
}
