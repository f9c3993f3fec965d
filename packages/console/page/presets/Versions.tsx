/** Lists a preset's versions, newest first, with the details of the chosen version. */

import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { api } from "../Api.ts"
import { linkTo, query } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Time } from "../ui/Card.tsx"
import { Load } from "../ui/Empty.tsx"
import { moveInList } from "../ui/RowFocus.ts"
import { designatedOf, type PresetProps } from "./PresetModel.ts"
import { type Version, versionName, versionPath } from "./PresetTraits.ts"
import { Pointers, VersionDetail } from "./VersionDetail.tsx"

interface LineProps extends PresetProps {
  readonly version: Version
  readonly isChosen: boolean
}

const Line = ({ isChosen, model: { slug }, state, version }: LineProps) => (
  <li>
    <a
      class="version-line"
      href={linkTo(versionPath(slug, version.version))}
      aria-current={isChosen ? "true" : undefined}
    >
      <span class="cluster">
        <strong>{versionName(version.version)}</strong>
        <Pointers state={state} version={version.version} />
      </span>
      <span class="apart">
        <span class="row-note hint" dir="auto">
          {version.erased_at === undefined
            ? (version.comment ?? version.system_prompt ?? "No prompt")
            : "Erased"}
        </span>
        <span class="row-time hint">
          <Time at={version.created_at} />
        </span>
      </span>
    </a>
  </li>
)

interface KnownProps extends PresetProps {
  readonly number: number
  readonly children: (version: Version) => ComponentChildren
}

/** Shows a version, which is read first if it is older than the loaded versions. */
export const KnownVersion = ({ children, model: { slug }, number, state }: KnownProps) => {
  const known = state.versions.find(({ version }) => version === number)
  if (known !== undefined) return children(known)
  return (
    <Load
      of={`${slug}@${number}`}
      read={(signal) => api.presets.version(slug, number, { signal })}
      lines={3}
      height={64}
    >
      {(version) => children(version as Version)}
    </Load>
  )
}

export const Versions = (props: PresetProps & { readonly onNew: (from: Version) => void }) => {
  const { model, onNew, state } = props
  const { total, versions } = state
  const wanted = Number(query.value.get("version")) || designatedOf(state) || total
  useEffect(() => {
    const line = document.querySelector<HTMLElement>(".version-line[aria-current]")
    line?.scrollIntoView({ block: "nearest" })
    // The form for a new version had the focus, and is closed now.
    if (document.activeElement === document.body) line?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="versions">
      <div class="versions-side stack-2">
        <ol class="version-list lines box" aria-label="Versions" onKeyDown={moveInList}>
          {versions.map((version) => (
            <Line
              key={version.id}
              model={model}
              state={state}
              version={version}
              isChosen={version.version === wanted}
            />
          ))}
        </ol>
        {versions.length < total ? (
          <Button class="is-wide" onClick={() => void model.more()}>
            Show older versions
          </Button>
        ) : null}
      </div>
      <KnownVersion model={model} state={state} number={wanted}>
        {(version) => <VersionDetail model={model} state={state} version={version} onNew={onNew} />}
      </KnownVersion>
    </div>
  )
}
