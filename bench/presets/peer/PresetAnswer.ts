/**
 * From a request to what is kept of it, and from rows to the answer.
 */
import type { Draft, PresetRow } from "./Rows.ts"

const kept: ReadonlySet<string> = new Set([
  "cache_control",
  "frequency_penalty",
  "image_config",
  "include",
  "max_output_tokens",
  "max_tool_calls",
  "modalities",
  "model",
  "models",
  "parallel_tool_calls",
  "plugins",
  "presence_penalty",
  "prompt_cache_options",
  "provider",
  "reasoning",
  "route",
  "service_tier",
  "stop_server_tools_when",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_k",
  "top_logprobs",
  "top_p",
  "truncation"
])

/** The fields of a request that a preset keeps. */
export const configOf = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const config: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    if (kept.has(name) && body[name] !== null) config[name] = body[name]
  }
  return config
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** The preset with the version that was just added. */
export const answerOf = (preset: PresetRow, { config, creatorId, systemPrompt }: Draft) => ({
  data: {
    id: preset.id,
    slug: preset.slug,
    name: preset.name,
    description: preset.description,
    status: preset.status.toLowerCase(),
    status_updated_at: preset.status_updated_at === null ? null : iso(preset.status_updated_at),
    created_at: iso(preset.created_at),
    updated_at: iso(preset.updated_at),
    creator_user_id: preset.creator_user_id,
    workspace_id: preset.workspace_id,
    designated_version_id: preset.designated_version_id,
    designated_version: {
      id: preset.designated_version_id,
      preset_id: preset.id,
      version: preset.latest_version,
      creator_id: creatorId,
      system_prompt: systemPrompt,
      config,
      created_at: iso(preset.updated_at),
      updated_at: iso(preset.updated_at)
    }
  }
})
