/**
 * Presets in use as the wire shows them.
 */
import type { MeantVersion, PresetPreview, PresetResolution } from "@verbatim/core/preset"
import { toWireFormat } from "@verbatim/core/request"
import { formatOfConfig } from "@verbatim/resolution"
import type { PinView, PreviewView, ResolutionView } from "./ResolutionAnswers.ts"

const toPinned = ({
  label,
  slug,
  version,
  versionId
}: PresetResolution["preset"]): typeof ResolutionView.Type.preset => ({
  slug,
  version,
  version_id: versionId,
  ...(label === undefined ? {} : { label })
})

/** A list for each field, as `Object.fromEntries` needs it, takes as long as all of the rest. */
const sidesOf = (fields: PresetResolution["fields"]) => {
  const sides: Record<string, "preset" | "request"> = {}
  for (const [name, { from: value }] of fields) {
    // A name like any other here, which an assignment would take for something else.
    if (name !== "__proto__") sides[name] = value
    else {
      const property = { value, configurable: true, enumerable: true, writable: true }
      Object.defineProperty(sides, name, property)
    }
  }
  return sides
}

/** Shows a resolution. */
export const toResolutionView = (resolution: PresetResolution): typeof ResolutionView.Type => ({
  request: resolution.request,
  format: toWireFormat(resolution.format),
  preset: toPinned(resolution.preset),
  provenance: {
    fields: sidesOf(resolution.fields),
    tools: resolution.tools.map(({ from }) => from),
    system_prompt: resolution.systemPrompt?.from ?? null
  },
  left_out: resolution.leftOut
})

/** Shows a version that was meant. */
export const toPinView = ({ label, slug, version }: MeantVersion): typeof PinView.Type => ({
  ...toPinned({
    slug,
    version: version.version,
    versionId: version.id,
    ...(label === undefined ? {} : { label })
  }),
  format: toWireFormat(version.format ?? formatOfConfig(version.config)),
  system_prompt: version.systemPrompt,
  config: version.config
})

/** Shows what a request would become. */
export const toPreviewView = ({
  changes,
  config,
  fields,
  systemPrompt,
  version
}: PresetPreview): typeof PreviewView.Type => ({
  system_prompt: systemPrompt,
  config,
  fields: fields.map(({ fate, name, reason }) => ({
    name,
    fate: fate === "systemPrompt" ? "system_prompt" : fate,
    reason
  })),
  version,
  changes
})
