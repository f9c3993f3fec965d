/** Compares two versions side by side: the prompts by lines, and the settings by fields. */

import type { components } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { query, setQuery } from "../Router.ts"
import { IconButton } from "../ui/Button.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { PointField } from "./PointField.tsx"
import {
  designatedOf,
  type PresetModel,
  type PresetProps,
  type PresetState
} from "./PresetModel.ts"
import { formatJson, versionName } from "./PresetTraits.ts"

type PresetDiff = components["schemas"]["PresetDiff"]

type Difference = PresetDiff["config"][number]

/**
 * The default versions: the live version and the newest one, or the live version and its
 * predecessor.
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

const write = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : formatJson(value)

const fieldName = (path: string): string =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" › ")

/** Formats names in their order, one per line. */
const formatNames = (names: unknown): string => (Array.isArray(names) ? names.join("\n") : "")

const ChangedField = ({ difference }: { readonly difference: Difference }) => {
  const { from, is_order: isOrder, kind, path, to } = difference
  const toText = isOrder ? formatNames : write
  return (
    <section class="pane box is-flush">
      <h2 class="pane-head">
        <code>{path === "" ? "config" : fieldName(path)}</code>
        <span class={`badge is-${kinds[kind]}`}>{isOrder ? "reordered" : kind}</span>
      </h2>
      <TextDiff from={toText(from)} to={toText(to)} />
    </section>
  )
}

const Differences = ({ diff }: { readonly diff: PresetDiff }) => {
  const { config, format, system_prompt: prompt, wins } = diff
  if (format === null && prompt === null && wins === null && config.length === 0) {
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
      {format === null ? null : (
        <section class="pane box is-flush">
          <h2 class="pane-head">Format</h2>
          <TextDiff from={format.from} to={format.to} />
        </section>
      )}
      {prompt === null ? null : (
        <section class="pane box is-flush">
          <h2 class="pane-head">System prompt</h2>
          <TextDiff from={prompt.from ?? ""} to={prompt.to ?? ""} />
        </section>
      )}
      {config.map((difference) => (
        <ChangedField key={difference.path} difference={difference} />
      ))}
      {wins === null ? null : (
        <section class="pane box is-flush">
          <h2 class="pane-head">Overrides requests</h2>
          <TextDiff from={wins.from.join("\n")} to={wins.to.join("\n")} />
        </section>
      )}
    </>
  )
}

const Answer = ({
  from,
  model,
  to
}: {
  readonly model: PresetModel
  readonly from: string
  readonly to: string
}) => {
  const source = useSource(`${from}…${to}`, () =>
    makeSource((signal) => api.presets.diff(model.slug, { from, to, signal }))
  )
  return (
    <Loaded source={source} lines={4} height={56}>
      {(diff) => <Differences diff={diff} />}
    </Loaded>
  )
}

/** Shows the comparison. */
export const Comparison = ({ model, state }: PresetProps) => {
  const { from, to } = pointsOf(state)
  const choose = (points: { readonly from: string; readonly to: string }): void => {
    setQuery("from", points.from)
    setQuery("to", points.to)
  }
  return (
    <div class="comparison stack">
      <div class="points">
        <PointField
          label="From"
          id="from-points"
          state={state}
          value={from}
          onChange={(point) => choose({ from: point, to })}
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
          onChange={(point) => choose({ from, to: point })}
        />
      </div>
      <Answer model={model} from={from} to={to} />
    </div>
  )
}
