/**
 * Presets in use as the wire shows them.
 */
import type { MeantVersion, PresetPreview, PresetResolution } from "@verbatim/core/preset"
import { toWireFormat } from "@verbatim/core/request"
import { formatOfConfig, variablesOf } from "@verbatim/resolution"
import type { PinView, PreviewView, ResolutionView } from "./ResolutionAnswers.ts"

/** Shows which version was meant. */
export const toPinned = ({
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

/** Shows a version that was meant. */
export const toPinView = ({ label, slug, version }: MeantVersion): typeof PinView.Type => ({
  ...toPinned({
    slug,
    version: version.version,
    versionId: version.id,
    ...(label === undefined ? {} : { label })
  }),
  format: toWireFormat(version.format ?? formatOfConfig(version.config)),
  variables: variablesOf(version.systemPrompt),
  system_prompt: version.systemPrompt,
  config: version.config,
  wins: version.wins
})

/** Shows what a request would become. */
export const toPreviewView = ({
  changes,
  config,
  fields,
  filledPrompt,
  systemPrompt,
  variables,
  version
}: PresetPreview): typeof PreviewView.Type => ({
  system_prompt: systemPrompt,
  variables,
  ...(filledPrompt === undefined ? {} : { filled_prompt: filledPrompt }),
  config,
  fields: fields.map(({ fate, name, reason }) => ({
    name,
    fate: fate === "systemPrompt" ? "system_prompt" : fate,
    reason
  })),
  version,
  changes
})
