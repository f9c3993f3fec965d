/** Compares two versions side by side: prompts line by line, and settings field by field. */

import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { query, setQuery } from "../Router.ts"
import { IconButton } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Empty.tsx"
import { PointField } from "./PointField.tsx"
import { designatedOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import { formatValue, versionName } from "./PresetTraits.ts"

type PresetDiff = components["schemas"]["PresetDiff"]

type Difference = PresetDiff["config"][number]

/**
 * The versions compared by default: the live version and the newest version, or the live version
 * and its predecessor.
 */
const pointsOf = (state: PresetState): { readonly from: string; readonly to: string } => {
  const designated = designatedOf(state) ?? 1
  const isNewer = state.total > designated
  const [from, to] = isNewer ? [designated, state.total] : [Math.max(1, designated - 1), designated]
  return {
    from: query.value.get("from") ?? String(from),
    to: query.value.get("to") ?? String(to)
  }
}

const kinds = { added: "good", removed: "bad", changed: "busy" } as const

const fieldName = (path: string): string =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" › ")

/** Formats names one per line, in their original order. */
const formatNames = (names: unknown): string => (Array.isArray(names) ? names.join("\n") : "")

const ChangedField = ({ difference }: { readonly difference: Difference }) => {
  const { from, is_order: isOrder, kind, path, to } = difference
  const toText = isOrder ? formatNames : formatValue
  const title = (
    <>
      <code>{path === "" ? "config" : fieldName(path)}</code>
      <span class={`badge is-${kinds[kind]}`}>{isOrder ? "reordered" : kind}</span>
    </>
  )
  return (
    <Pane title={title}>
      <TextDiff from={toText(from)} to={toText(to)} />
    </Pane>
  )
}

const Differences = ({ diff }: { readonly diff: PresetDiff }) => {
  const { config, format, system_prompt: prompt, wins } = diff
  const texts = [
    { title: "Format", change: format },
    { title: "System prompt", change: prompt },
    {
      title: "Overrides requests",
      change: wins && { from: formatNames(wins.from), to: formatNames(wins.to) }
    }
  ]
  if (config.length === 0 && texts.every(({ change }) => change === null)) {
    return (
      <p class="pane box">
        {versionName(diff.from)} and {versionName(diff.to)} have the same content.
      </p>
    )
  }
  return (
    <>
      <div class="diff-sides" aria-hidden="true">
        <span>{versionName(diff.from)}</span>
        <span>{versionName(diff.to)}</span>
      </div>
      {texts.map(({ change, title }) =>
        change === null ? null : (
          <Pane title={title} key={title}>
            <TextDiff from={change.from ?? ""} to={change.to ?? ""} />
          </Pane>
        )
      )}
      {config.map((difference) => (
        <ChangedField key={difference.path} difference={difference} />
      ))}
    </>
  )
}

export const Comparison = ({ model, state }: PresetProps) => {
  const { from, to } = pointsOf(state)
  const choose = (points: { readonly from?: string; readonly to?: string }): void => {
    for (const [name, point] of Object.entries({ from, to, ...points })) setQuery(name, point)
  }
  return (
    <div class="stack">
      <div class="inline-form">
        <PointField
          label="From"
          id="from-points"
          state={state}
          value={from}
          onChange={(point) => choose({ from: point })}
        />
        <IconButton
          icon="retry"
          label="Swap the two versions"
          title="Swap the two versions"
          onClick={() => choose({ from: to, to: from })}
        />
        <PointField
          label="To"
          id="to-points"
          state={state}
          value={to}
          onChange={(point) => choose({ to: point })}
        />
      </div>
      <Load
        of={`${from}…${to}`}
        read={(signal) => api.presets.diff(model.slug, { from, to, signal })}
        lines={4}
        height={56}
      >
        {(diff) => <Differences diff={diff} />}
      </Load>
    </div>
  )
}
