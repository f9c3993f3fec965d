/** A preset's versions, newest first, with the details of the chosen version. */

import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { api } from "../Api.ts"
import { linkTo, query } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { Time } from "../ui/Time.tsx"
import {
  designatedOf,
  type PresetModel,
  type PresetProps,
  type PresetState
} from "./PresetModel.ts"
import { presetPath, type Version, versionName } from "./PresetTraits.ts"
import { Pointers, VersionDetail } from "./VersionDetail.tsx"

const Line = ({
  isChosen,
  slug,
  state,
  version
}: {
  readonly slug: string
  readonly state: PresetState
  readonly version: Version
  readonly isChosen: boolean
}) => (
  <li>
    <a
      class="version-line"
      href={linkTo(`${presetPath(slug)}?version=${version.version}`)}
      aria-current={isChosen ? "true" : undefined}
    >
      <span class="version-line-head cluster">
        <strong>{versionName(version.version)}</strong>
        <Pointers state={state} version={version.version} />
      </span>
      <span class="version-line-note apart">
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

const move = (event: KeyboardEvent): void => {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  const list = event.currentTarget
  if (step === undefined || !(list instanceof HTMLElement)) return
  const links = [...list.querySelectorAll("a")]
  const now = links.findIndex((link) => link.matches(":focus"))
  const next = links[now + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

const Fetched = ({
  children,
  model,
  number
}: {
  readonly model: PresetModel
  readonly number: number
  readonly children: (version: Version) => ComponentChildren
}) => {
  const source = useSource(`${model.slug}@${number}`, () =>
    makeSource((signal) => api.presets.version(model.slug, number, { signal }))
  )
  return (
    <Loaded source={source} lines={3} height={64}>
      {(version) => children(version as Version)}
    </Loaded>
  )
}

/** Shows a version, which is read first if it is older than the versions already loaded. */
export const KnownVersion = ({
  children,
  model,
  number,
  state
}: PresetProps & {
  readonly number: number
  readonly children: (version: Version) => ComponentChildren
}) => {
  const known = state.versions.find(({ version }) => version === number)
  if (known !== undefined) return <>{children(known)}</>
  return (
    <Fetched key={number} model={model} number={number}>
      {children}
    </Fetched>
  )
}

/** Shows the list and the chosen version. */
export const Versions = (
  props: PresetProps & {
    readonly onNew: (from: Version) => void
  }
) => {
  const { model, onNew, state } = props
  const { total, versions } = state
  const wanted = Number(query.value.get("version")) || designatedOf(state) || total
  useEffect(() => {
    document.querySelector(".version-line[aria-current]")?.scrollIntoView({ block: "nearest" })
  }, [])
  return (
    <div class="versions">
      <div class="versions-side stack-2">
        <ol class="version-list box" aria-label="Versions" onKeyDown={move}>
          {versions.map((version) => (
            <Line
              key={version.id}
              slug={model.slug}
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
