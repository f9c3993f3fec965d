/** What a host does with presets in use: what a reference means, and the request that is meant. */
import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { DateTime, Effect } from "effect"
import {
  type Format,
  type JsonObject,
  type Pin,
  type Preview,
  type Resolution,
  toPin,
  toPreview,
  toResolution
} from "../view/Preset.ts"
import type { Ask } from "./Asking.ts"
import type { Asker } from "./Workspaces.ts"

/** The formats of a request body, as core knows them. */
export const formats = { responses, chat: chatCompletions, messages } satisfies Record<
  Format,
  unknown
>

/** What a reference means. */
export interface PinWanted extends Asker {
  /** `slug`, `slug@version` or `slug@label`; `slug@latest` is the latest version. */
  readonly preset: string
  /** What was designated, or labelled, then. */
  readonly at?: Date
}

/** What a request is laid over. */
export interface ResolutionWanted extends PinWanted {
  /** Its `variables`, texts by name, are the values of `{{name}}` in the system prompt. */
  readonly request: JsonObject
  /** The format of the request; told by its fields when it is left out. */
  readonly format?: Format
}

/** What a body would become. */
export interface PreviewWanted extends Asker {
  /** Its `variables`, where it has some, fill the prompt that is shown. */
  readonly body: JsonObject
  readonly format?: Format
  /** The preset that it would become part of. */
  readonly slug?: string
}

/** Presets of a host, in use. */
export interface UseMethods {
  /** The version that a reference means. */
  readonly pin: (wanted: PinWanted) => Promise<Pin>
  /** The request with everything that the preset adds, in its own format. */
  readonly resolve: (wanted: ResolutionWanted) => Promise<Resolution>
  /** What a body would become; nothing is stored. */
  readonly preview: (wanted: PreviewWanted) => Promise<Preview>
}

const timeOf = ({ at }: PinWanted) => ({
  at: at === undefined ? undefined : DateTime.makeUnsafe(at)
})

/** Makes the methods. */
export const makeUse = (ask: Ask): UseMethods => ({
  pin: (wanted) =>
    ask(wanted, (presets, named) => Effect.map(presets.pin({ ...named, ...timeOf(named) }), toPin)),
  resolve: (wanted) =>
    ask(wanted, (presets, { format, request, ...named }) =>
      Effect.map(
        presets.resolve(
          {
            ...named,
            ...timeOf(named),
            format: format === undefined ? undefined : formats[format].name
          },
          request
        ),
        toResolution
      )
    ),
  preview: (wanted) =>
    ask(wanted, (presets, { body, format = "responses", ...named }) =>
      Effect.map(
        presets.previewAgainst({
          ...named,
          format: formats[format],
          body: Effect.succeed(body)
        }),
        toPreview
      )
    )
})
