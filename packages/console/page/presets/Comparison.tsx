/** Compares two versions side by side: prompts line by line, and settings field by field. */

import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { linkTo, query, setQuery } from "../Router.ts"
import { IconButton } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Empty.tsx"
import { PointField } from "./PointField.tsx"
import { designatedOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import { fieldName, formatValue, versionName, versionPath } from "./PresetTraits.ts"

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

interface DifferencesProps {
  readonly slug: string
  readonly diff: PresetDiff
}

const Differences = ({ diff, slug }: DifferencesProps) => {
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
      <div class="diff-sides">
        {[diff.from, diff.to].map((version) => (
          <a key={version} href={linkTo(versionPath(slug, version))}>
            {versionName(version)}
          </a>
        ))}
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
        {(diff) => <Differences slug={model.slug} diff={diff} />}
      </Load>
    </div>
  )
}
