/**
 * The subtitle parser, with types for the parts that tests use. TypeScript does not find the
 * parser's own types, because their imports have no file extensions.
 */
import { Effect } from "effect"
import { parseText, tokenizeVTTCue } from "media-captions"

declare module "media-captions" {
  export interface ParsedCue {
    readonly startTime: number
    readonly endTime: number
    readonly text: string
  }
  export interface ParsedNode {
    readonly data?: string
    readonly voice?: string
    readonly children?: ReadonlyArray<ParsedNode>
  }
  export function parseText(
    text: string,
    options: { readonly type: "srt" | "vtt"; readonly strict: boolean; readonly errors: boolean }
  ): Promise<{
    readonly cues: ReadonlyArray<ParsedCue>
    readonly errors: ReadonlyArray<unknown>
  }>
  export function tokenizeVTTCue(cue: ParsedCue): ReadonlyArray<ParsedNode>
}

/** Parses subtitles: WebVTT strictly by its standard, and SubRip as leniently as players do. */
export const parsed = (text: string, type: "srt" | "vtt") =>
  Effect.promise(() => parseText(text, { type, strict: type === "vtt", errors: true }))

type Nodes = ReturnType<typeof tokenizeVTTCue>
type Cue = Parameters<typeof tokenizeVTTCue>[0]

const textOf = (nodes: Nodes): string =>
  nodes.map(({ children = [], data = "" }) => data + textOf(children)).join("")

/** Returns the speaker and the text of a WebVTT cue, without tags and escapes. */
export const spokenIn = (cue: Cue): readonly [speaker: string | undefined, text: string] => {
  const nodes = tokenizeVTTCue(cue)
  return [nodes[0]?.voice, textOf(nodes)]
}
