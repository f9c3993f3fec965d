/** What each method takes, in one table. What only core or a database can tell, they tell. */
import { Hook } from "@verbatim/core/notice"
import { PresetChange, PresetStatus } from "@verbatim/core/preset"
import { makeJudge, Rule } from "@verbatim/core/schema"
import { isScope, Keywords, usageRowMax } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { argument, leftOut, object, openObject } from "./Arguments.ts"
import { isKept } from "./Kept.ts"

const oneOf = (names: ReadonlyArray<string>) =>
  Schema.Literals(names as readonly [string, ...Array<string>])

const text = Schema.String.check(
  Schema.makeFilter((given: string) => isKept(given), {
    message: "must not contain NUL or a lone surrogate"
  })
)

const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Schema.Int.check(Rule.numberAtLeast(minimum), Rule.numberAtMost(maximum))

const flag = Schema.Boolean

const optional = Schema.optionalKey

/** Null is the same as left out, as it is over HTTP. */
const wish = <A extends Schema.Top>(schema: A) => Schema.optionalKey(Schema.NullOr(schema))

/** A name, or what Verbatim knows it by; whether it is one, the look-up tells. */
const workspace = Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })]).annotate({
  message: "must be the name of a workspace, or an object with its id"
})

const asker = { workspace: optional(workspace), user: optional(Schema.Unknown) }

const signal = optional(
  Schema.instanceOf(AbortSignal).annotate({ message: "must be an AbortSignal" })
)

const suchThat = (holds: (given: unknown) => boolean, message: string) =>
  Schema.Unknown.check(Schema.makeFilter(holds, { message }))

const listener = suchThat((given) => typeof given === "function", "must be a function")

const instant = suchThat(
  (given) => given instanceof Date && !Number.isNaN(given.getTime()),
  "must be a Date that is an instant"
)

/** A whole job is one, so that it may have other fields. */
const job = openObject("job", { id: text, workspace: optional(workspace) })

/** As many as a page of the API has at most. */
const pageMax = 100

const page = { offset: optional(whole(0)), limit: optional(whole(1, pageMax)) }

/** What jobs take. */
export const jobCalls = {
  get: [job],
  list: [
    leftOut(
      object("wanted", {
        ...asker,
        status: optional(text),
        callbackId: optional(text),
        acceptedAfter: optional(instant),
        acceptedBefore: optional(instant),
        after: optional(text),
        limit: optional(whole(1, pageMax))
      })
    )
  ],
  result: [job],
  render: [job, argument("modifier", text)],
  retry: [job],
  redeliver: [job],
  renotify: [job, leftOut(argument("hook", oneOf(Hook.literals)))],
  remove: [job],
  history: [job],
  webhookAttempts: [job]
} as const

/** What playing takes. */
export const playingCalls = {
  media: [job, leftOut(object("stretch", { from: optional(whole(0)), to: optional(whole(0)) }))],
  peaks: [job]
} as const

const listening = { after: optional(text), signal }

/** What listening takes. */
export const eventCalls = {
  events: [job, leftOut(object("options", listening))],
  allEvents: [leftOut(object("wanted", { ...asker, ...listening }))]
} as const

const correction = object("write", {
  ...asker,
  id: text,
  ifVersion: optional(whole(0)),
  idempotencyKey: optional(text)
})

/** What corrections take. Names and segments have sentences of their own. */
export const correctionCalls = {
  nameSpeakers: [correction, argument("names", Schema.Unknown)],
  correctSegments: [correction, argument("segments", Schema.Unknown)],
  goBack: [correction, argument("version", whole(0))],
  get: [
    openObject("wanted", {
      id: text,
      workspace: optional(workspace),
      before: optional(whole(1)),
      limit: optional(whole(1, pageMax)),
      fromSegment: optional(whole(0))
    })
  ],
  version: [job, argument("version", whole(1))]
} as const

/** What the rest of an opened Verbatim takes. */
export const mainCalls = {
  transcribe: [
    object(
      "wanted",
      {
        ...asker,
        // It has sentences of its own.
        media: optional(Schema.Unknown),
        filename: optional(text),
        language: wish(text),
        summary: wish(text),
        initialPrompt: wish(text),
        keywords: wish(Schema.Array(text)),
        speakers: wish(whole(1)),
        tracks: wish(text),
        vadFilter: wish(flag),
        diarization: wish(flag),
        webhook: optional(Schema.Struct({ url: text, modifier: wish(text) })),
        callbackId: wish(text),
        idempotencyKey: optional(text),
        signal
      },
      { webhook: ["url", "modifier"] }
    )
  ],
  wait: [job, leftOut(object("options", { signal, onProgress: optional(listener) }))]
} as const

const preset = { ...asker, slug: text }

const written = { ...preset, ifDesignated: optional(Schema.NullOr(text)) }

const version = whole(1)

const point = Schema.Union([version, text]).annotate({
  message: "must be the number of a version, or the name of a label"
})

const scopes = optional(
  Schema.Array(text.check(Schema.makeFilter(isScope, { message: "must be a scope" })))
)

const labelWritten = {
  ...preset,
  label: text,
  ifVersion: optional(Schema.NullOr(text)),
  scopes
}

const format = optional(oneOf(["responses", "chat", "messages"]))

/** A body has sentences of its own. */
const body = optional(Schema.Unknown)

const judgeRequest = makeJudge({ schema: Schema.Record(Schema.String, Schema.Unknown), names: [] })

const request = suchThat(
  (given) => judgeRequest(given).length === 0,
  "must be an object that is JSON"
)

const { description, name } = PresetChange.fields

/** What presets take. */
export const presetCalls = {
  create: [
    object("creation", {
      ...written,
      body,
      format,
      idempotencyKey: optional(text),
      stage: optional(flag),
      wins: optional(Schema.Array(text)),
      comment: optional(Schema.NullOr(Schema.Unknown))
    })
  ],
  createFromVersion: [
    object("parts", {
      ...written,
      from: optional(point),
      set: optional(request),
      unset: optional(Schema.Array(text)),
      systemPrompt: optional(Schema.NullOr(Schema.String)),
      wins: optional(Schema.Array(text)),
      idempotencyKey: optional(text),
      stage: optional(flag),
      comment: optional(Schema.NullOr(Schema.Unknown))
    })
  ],
  get: [object("preset", preset)],
  list: [
    leftOut(
      object("wanted", {
        ...asker,
        ...page,
        status: optional(PresetStatus),
        label: optional(text),
        text: optional(text)
      })
    )
  ],
  version: [object("preset", { ...preset, version })],
  versions: [object("preset", { ...preset, ...page })],
  diff: [object("preset", { ...preset, from: point, to: point, toSlug: optional(text) })],
  designate: [object("write", { ...written, version })],
  change: [
    object("change", {
      ...written,
      status: optional(PresetStatus),
      name,
      description,
      scopes
    })
  ],
  designations: [object("preset", { ...preset, ...page })],
  erase: [object("write", { ...written, version })],
  remove: [object("write", { ...written, scopes })],
  labels: [object("preset", preset)],
  label: [object("label", { ...preset, label: text })],
  moveLabel: [object("write", { ...labelWritten, version: point })],
  removeLabel: [object("write", labelWritten)],
  labelMoves: [object("label", { ...preset, ...page, label: text })],
  protectedLabels: [leftOut(object("wanted", asker))],
  protectLabel: [object("wanted", { ...asker, label: text })],
  unprotectLabel: [object("wanted", { ...asker, label: text })],
  pin: [object("wanted", { ...asker, preset: text, at: optional(instant) })],
  resolve: [object("wanted", { ...asker, preset: text, request, format, at: optional(instant) })],
  preview: [object("wanted", { ...asker, body, format, slug: optional(text) })]
} as const

/** As over HTTP: ten million minutes are nineteen years, and more is a typo. */
const minutesMax = 10_000_000

const minutesRule = `must be a number from -${minutesMax} to ${minutesMax}`

const minutes = Schema.Finite.annotate({ message: minutesRule }).check(
  Schema.isBetween({ minimum: -minutesMax, maximum: minutesMax }, { message: minutesRule })
)

const creditId = Schema.String.annotate({ message: "must be a UUID" }).check(
  Schema.isUUID(undefined, { message: "must be a UUID" })
)

const whose = argument("workspace", workspace)

/** What workspaces take. */
export const workspaceCalls = {
  ensure: [argument("name", text)],
  keywords: [whose],
  setKeywords: [whose, argument("keywords", Keywords)],
  balance: [whose],
  credit: [whose, object("credit", { minutes, creditId: optional(creditId) })],
  usage: [whose, object("wanted", { from: instant, to: instant, by: oneOf(["day", "key"]) })],
  ledger: [
    whose,
    leftOut(
      object("wanted", { before: optional(whole(1)), limit: optional(whole(1, usageRowMax)) })
    )
  ],
  remove: [whose]
} as const

const millis = suchThat(
  (given) => typeof given === "number" && given >= 0,
  "must be a number of milliseconds, 0 or more"
)

/** What `presetFetch` takes. */
export const fetchOptions = object("options", {
  ...asker,
  verbatim: suchThat(
    (given) => typeof Object(Object(given).presets).pin === "function",
    "must be what open gives"
  ),
  maxAge: optional(millis),
  staleIfError: optional(millis),
  onResolved: optional(listener)
})
