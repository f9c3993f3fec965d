/** Lists a preset's versions, newest first, and shows the chosen one with the actions on it. */
import { variablesOf } from "@verbatim/resolution"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { api } from "../Api.ts"
import { Person } from "../keys/Keys.tsx"
import { linkTo, query } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, ButtonLink, Time } from "../ui/Card.tsx"
import { deletedItems } from "../ui/Deferred.ts"
import { useOpening } from "../ui/Forms.tsx"
import { Load } from "../ui/Loaded.tsx"
import { moveInList } from "../ui/VirtualList.tsx"
import { LabelDialog, NewVariables } from "./LabelDialog.tsx"
import { designate, eraseVersion } from "./PresetActions.ts"
import { designatedOf, labelsOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import {
  formatJson,
  formatNames,
  presetPath,
  type Version,
  versionName,
  versionPath
} from "./PresetTraits.ts"

const Pointers = ({ state, version }: Readonly<{ state: PresetState; version: number }>) => {
  const isActive = state.preset.status === "active"
  return (
    <span class="pointers">
      {designatedOf(state) === version ? (
        <Badge tone={isActive ? "good" : "idle"}>{isActive ? "live" : "live when active"}</Badge>
      ) : null}
      {labelsOf(state, version).map(({ is_protected, label }) => (
        <span class="label-chip" key={label}>
          {label}
          {is_protected ? <span class="hidden"> (protected)</span> : null}
        </span>
      ))}
    </span>
  )
}

interface KnownProps extends PresetProps {
  readonly number: number
  readonly children: (version: Version) => ComponentChildren
}

export const KnownVersion = ({ children, model: { slug }, number, state }: KnownProps) => {
  const known = state.versions.find(({ version }) => version === number)
  if (known !== undefined) return children(known)
  return (
    <Load of={`${slug}@${number}`} read={(signal) => api.presets.version(slug, number, { signal })}>
      {(version) => children(version as Version)}
    </Load>
  )
}

type DetailProps = PresetProps & {
  readonly version: Version
  readonly onNew: (from: Version) => void
}

const Actions = (props: DetailProps) => {
  const { model, onNew, state, version } = props
  const labels = useOpening()
  const designated = designatedOf(state) ?? 0
  const number = version.version
  const isBack = number < designated
  const known = variablesOf(state.preset.designated_version?.system_prompt ?? null)
  return (
    <>
      <NewVariables version={version} known={known} />
      <div class="cluster">
        {number === designated ? null : (
          <Button
            class="is-primary"
            icon={isBack ? "retry" : "check"}
            onClick={() => void designate(props, number)}
          >
            {isBack ? `Roll back to ${versionName(number)}` : `Make ${versionName(number)} live`}
          </Button>
        )}
        <Button onClick={labels.open}>Labels…</Button>
        <Button onClick={() => onNew(version)}>New version from this…</Button>
        {number === designated || labelsOf(state, number).length > 0 ? null : (
          <Button
            class="is-danger"
            icon="trash"
            title="For content that should never have been stored. The version number remains."
            onClick={() => eraseVersion(model, version)}
          >
            Erase content
          </Button>
        )}
      </div>
      {labels.isOpen.value && <LabelDialog {...props} onClose={labels.close} />}
    </>
  )
}

type ContentProps = Readonly<{ state: PresetState; version: Version }>
const Content = ({ state: { keys }, version }: ContentProps) => {
  const { config, erased_at, erased_by, id, system_prompt: prompt } = version
  if (deletedItems.value.has(id)) {
    return <p class="note">The content will be erased in a moment unless you undo it.</p>
  }
  if (erased_at !== undefined) {
    return (
      <p class="note">
        The content was erased <Time at={erased_at} isExact />
        {erased_by && <> by {<Person id={erased_by} keys={keys} />}</>}. The version number remains.
      </p>
    )
  }
  const none = <p class="hint">None.</p>
  const settings = Object.entries(config)
  return (
    <>
      <section class="pane box">
        <h3>System prompt</h3>
        {prompt === null ? (
          none
        ) : (
          <pre class="prompt" dir="auto">
            {prompt}
          </pre>
        )}
      </section>
      <section class="pane box">
        <h3>Settings</h3>
        {settings.length === 0 ? (
          none
        ) : (
          <dl class="lines">
            {settings.map(([name, value]) => (
              <div class="setting stack-3" key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  {Object(value) === value ? (
                    <pre>{formatJson(value)}</pre>
                  ) : (
                    <code>{`${value}`}</code>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    </>
  )
}

const VersionDetail = (props: DetailProps) => {
  const { model, state, version } = props
  const { comment, created_at, creator_id, erased_at, format, id, version: number, wins } = version
  const live = designatedOf(state) ?? number
  const isErased = erased_at !== undefined || deletedItems.value.has(id)
  const compare = (other: number, word: string) => {
    if (isErased) return null
    const points = `from=${Math.min(number, other)}&to=${Math.max(number, other)}`
    const to = `${presetPath(model.slug)}?view=compare&${points}`
    return <ButtonLink class="is-small" to={to} word={`Compare with ${word}`} />
  }
  const canWrite = can("presets:write") && state.preset.status === "active"
  return (
    <article class="grow stack" aria-label={versionName(number)}>
      <header class="version-head cluster apart">
        <div>
          <h2>
            {versionName(number)} <Pointers state={state} version={number} />
          </h2>
          <p class="hint">
            {formatNames[format]} · created <Time at={created_at} isExact /> by{" "}
            <Person id={creator_id} keys={state.keys} />
          </p>
          {wins.length === 0 ? null : <p class="hint">Overrides requests in {wins.join(", ")}</p>}
          {comment === undefined ? null : <p dir="auto">{comment}</p>}
        </div>
        <div class="cluster">
          {number === live || number - 1 === live ? null : compare(live, "live")}
          {number > 1 ? compare(number - 1, versionName(number - 1)) : null}
        </div>
      </header>
      {canWrite && !isErased ? <Actions {...props} /> : null}
      <Content state={state} version={version} />
    </article>
  )
}

export const Versions = (props: PresetProps & { readonly onNew: (from: Version) => void }) => {
  const { model, state } = props
  const { total, versions } = state
  const wanted = Number(query.value.get("version")) || designatedOf(state) || total
  useEffect(() => {
    const line = document.querySelector<HTMLElement>(".version-line[aria-current]")
    line?.scrollIntoView({ block: "nearest" })
    // The form for a new version had the focus, and is closed now.
    if (document.activeElement === document.body) line?.focus({ preventScroll: true })
  }, [])
  const showLine = (version: Version) => (
    <li key={version.id}>
      <a
        class="version-line"
        href={linkTo(versionPath(model.slug, version.version))}
        aria-current={version.version === wanted ? "true" : undefined}
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
          <Time class="row-time hint" at={version.created_at} />
        </span>
      </a>
    </li>
  )
  return (
    <div class="versions">
      <div class="versions-side stack-2">
        <ol class="version-list lines box" aria-label="Versions" onKeyDown={moveInList}>
          {versions.map(showLine)}
        </ol>
        {versions.length < total ? (
          <Button class="is-wide" onClick={() => void model.more()} word="Show older versions" />
        ) : null}
      </div>
      <KnownVersion {...props} number={wanted}>
        {(version) => <VersionDetail {...props} version={version} />}
      </KnownVersion>
    </div>
  )
}
