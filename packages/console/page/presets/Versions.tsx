/** The versions of a preset, the newest first, and the one that is looked at. */

import { useEffect } from "preact/hooks"
import { api } from "../Api.ts"
import { linkTo, query } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Loaded } from "../ui/Empty.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { Time } from "../ui/Time.tsx"
import { designatedOf, type Shown, type Standing } from "./PresetModel.ts"
import { presetPath, type Version, versionName } from "./PresetTraits.ts"
import { Pointers, VersionDetail } from "./VersionDetail.tsx"

const Line = ({
  isChosen,
  slug,
  standing,
  version
}: {
  readonly slug: string
  readonly standing: Standing
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
        <Pointers standing={standing} version={version.version} />
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

/** A version that is older than those at hand. */
const Fetched = (
  given: Shown & {
    readonly number: number
    readonly onNew: (from: Version) => void
  }
) => {
  const { model, number, standing } = given
  const source = useSource(`${model.slug}@${number}`, () =>
    makeSource((signal) => api.presets.version(model.slug, number, { signal }))
  )
  return (
    <Loaded source={source} lines={3} height={64}>
      {(version) => (
        <VersionDetail
          model={model}
          standing={standing}
          version={version as Version}
          onNew={given.onNew}
        />
      )}
    </Loaded>
  )
}

/** Shows the list and the version. */
export const Versions = (
  given: Shown & {
    readonly onNew: (from: Version) => void
  }
) => {
  const { model, onNew, standing } = given
  const { total, versions } = standing
  const wanted = Number(query.value.get("version")) || designatedOf(standing) || total
  const chosen = versions.find(({ version }) => version === wanted)
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
              standing={standing}
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
      {chosen === undefined ? (
        <Fetched key={wanted} model={model} standing={standing} number={wanted} onNew={onNew} />
      ) : (
        <VersionDetail model={model} standing={standing} version={chosen} onNew={onNew} />
      )}
    </div>
  )
}
