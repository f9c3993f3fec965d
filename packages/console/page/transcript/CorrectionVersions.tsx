/** Lists the corrections versions, each with a button that restores the version. */

import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Time } from "../ui/Card.tsx"
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

interface BackProps {
  readonly transcript: Transcript
  readonly version: number
}

const Back = ({ transcript, version }: BackProps) =>
  can("transcriptions:write") ? (
    <Button class="is-small" onClick={() => void restore(transcript, version)}>
      Restore<span class="hidden"> version {version}</span>
    </Button>
  ) : null

export const CorrectionVersions = ({ transcript }: { readonly transcript: Transcript }) => {
  const { value } = transcript.corrections
  if (value === undefined || value.version === 0) {
    return <p class="hint">No corrections yet. The recognised text is always kept.</p>
  }
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
            <Back transcript={transcript} version={version.version} />
          )}
        </li>
      ))}
      <li class="line cluster">
        <span class="grow breaks">
          <b>v0</b> As recognised
        </span>
        <Back transcript={transcript} version={0} />
      </li>
    </ol>
  )
}
