/** Compares two versions side by side: prompts line by line, and settings field by field. */
import type { Answer } from "@verbatim/client"
import { api } from "../Api.ts"
import { TextDiff } from "../diff/TextDiff.tsx"
import { query, setQuery } from "../Router.ts"
import { IconButton } from "../ui/Button.tsx"
import { Pane } from "../ui/Card.tsx"
import { Load } from "../ui/Loaded.tsx"
import { PointField, VersionLink } from "./PointField.tsx"
import { designatedOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import { fieldName, formatValue, versionName } from "./PresetTraits.ts"

type Points = Record<"from" | "to", string>

/** Compares the live version with the newest or, if that is live, with its predecessor. */
const pointsOf = (state: PresetState): Points => {
  const live = designatedOf(state) ?? 1
  const [from, to] = state.total > live ? [live, state.total] : [Math.max(1, live - 1), live]
  return { from: query.value.get("from") ?? String(from), to: query.value.get("to") ?? String(to) }
}

const kinds = { added: "good", removed: "bad", changed: "busy" } as const
const formatNames = (names: unknown): string => (Array.isArray(names) ? names.join("\n") : "")

const showDifferences = (slug: string, diff: Answer<"presets.diff">) => {
  const { config, format, from, system_prompt: prompt, to, wins } = diff
  const changes = [
    { title: "Format", change: format },
    { title: "System prompt", change: prompt },
    { title: "Overrides requests", change: wins, toText: formatNames },
    ...config.map(({ is_order: isOrder, kind, path, ...change }) => {
      const title = (
        <>
          <code>{path === "" ? "config" : fieldName(path)}</code>
          <span class={`badge is-${kinds[kind]}`}>{isOrder ? "reordered" : kind}</span>
        </>
      )
      return { title, change, toText: isOrder ? formatNames : formatValue }
    })
  ].filter(({ change }) => change !== null)
  if (changes.length === 0) {
    return (
      <p class="pane box">
        {versionName(from)} and {versionName(to)} have the same content.
      </p>
    )
  }
  return (
    <>
      <div class="diff-sides">
        {[from, to].map((version) => (
          <VersionLink key={version} slug={slug} version={version} />
        ))}
      </div>
      {changes.map(({ change, title, toText = formatValue }, index) => (
        <Pane title={title} key={index}>
          <TextDiff from={toText(change?.from ?? "")} to={toText(change?.to ?? "")} />
        </Pane>
      ))}
    </>
  )
}

export const Comparison = ({ model, state }: PresetProps) => {
  const points = pointsOf(state)
  const { from, to } = points
  const choose = (chosen: Partial<Points>): void => {
    for (const [name, point] of Object.entries({ ...points, ...chosen })) setQuery(name, point)
  }
  return (
    <div class="stack">
      <div class="inline-form">
        <PointField label="From" state={state} value={from} onChange={(from) => choose({ from })} />
        <IconButton
          icon="retry"
          label="Swap the two versions"
          onClick={() => choose({ from: to, to: from })}
        />
        <PointField label="To" state={state} value={to} onChange={(to) => choose({ to })} />
      </div>
      <Load
        of={`${from}…${to}`}
        read={(signal) => api.presets.diff(model.slug, { ...points, signal })}
      >
        {(diff) => showDifferences(model.slug, diff)}
      </Load>
    </div>
  )
}
