/** Lists the versions of the corrections, each with its changes and a button that restores it. */
import { useSignal } from "@preact/signals"
import type { Answer } from "@verbatim/client"
import { api } from "../Api.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Time } from "../ui/Card.tsx"
import { Load } from "../ui/Loaded.tsx"
import { restore } from "./Corrections.ts"
import type { Corrections, Transcript } from "./Model.ts"

type Version = Corrections["versions"][number]
const describe = ({ back_to, segment_count, speakers }: Version): string => {
  if (back_to !== null) return back_to === 0 ? "Restored as recognised" : `Restored v${back_to}`
  const names = Object.entries(speakers).map(([id, name]) =>
    name === null ? `${id} unnamed` : `${id} named ${name}`
  )
  const texts =
    segment_count === 0 ? [] : [`${segment_count} segment${segment_count === 1 ? "" : "s"}`]
  return [...names, ...texts].join(", ")
}

type Segment = Answer<"transcriptions.corrections.version">["segments"][number]
const edges = { split: "Split", joined: "Joined" } as const
const describeSegment = ({ edge, speaker, text }: Segment): string => {
  const parts = [
    edge === undefined ? "" : edges[edge],
    text === null ? "" : `“${text.trim()}”`,
    speaker === null ? "" : `by ${speaker}`
  ]
  return parts.filter((part) => part !== "").join(" ") || "As recognised"
}

const Changes = ({ transcript: { id }, version }: VersionProps) => {
  const isOpen = useSignal(false)
  return (
    <details
      class="changes hint"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        Changes<span class="hidden"> of version {version}</span>
      </summary>
      {isOpen.value ? (
        <Load
          of={`${id} ${version}`}
          read={(signal) => api.transcriptions.corrections.version(id, version, { signal })}
          lines={1}
          height={24}
        >
          {({ segments }) => (
            <ul>
              {segments.map((segment) => (
                <li class="breaks" dir="auto" key={`${segment.index} ${segment.at}`}>
                  {describeSegment(segment)}
                </li>
              ))}
            </ul>
          )}
        </Load>
      ) : null}
    </details>
  )
}

type VersionProps = Readonly<{ transcript: Transcript; version: number }>
export const CorrectionVersions = ({ transcript }: { readonly transcript: Transcript }) => {
  const { value } = transcript.corrections
  if (value === undefined || value.version === 0) {
    return <p class="hint">No corrections yet. The recognised text is always kept.</p>
  }
  const showBack = (version: number) =>
    can("transcriptions:write") ? (
      <Button
        class="is-small"
        onClick={() => void restore(transcript, version)}
        word="Restore"
        about={`version ${version}`}
      />
    ) : null
  return (
    <ol class="lines">
      {value.versions.map((version) => (
        <li class="line cluster" key={version.version}>
          <span class="grow breaks">
            <b>v{version.version}</b> {describe(version)}
            <span class="hint">
              {" "}
              <Time at={version.created_at} />
            </span>
          </span>
          {version.version === value.version ? (
            <span class="badge is-good">current</span>
          ) : (
            showBack(version.version)
          )}
          {version.segment_count === 0 ? null : (
            <Changes transcript={transcript} version={version.version} />
          )}
        </li>
      ))}
      <li class="line cluster">
        <span class="grow breaks">
          <b>v0</b> As recognised
        </span>
        {showBack(0)}
      </li>
    </ol>
  )
}
