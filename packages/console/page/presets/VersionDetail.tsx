/** Shows a version's content, its pointers, and the actions on it. */

import { variablesOf } from "@verbatim/resolution"
import { Person } from "../keys/Person.tsx"
import { linkTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, Time } from "../ui/Card.tsx"
import { deletedItems } from "../ui/Deferred.ts"
import { useOpening } from "../ui/Dialog.tsx"
import { LabelDialog, NewVariables } from "./LabelDialog.tsx"
import { designate, eraseVersion } from "./PresetActions.ts"
import { designatedOf, labelsOf, type PresetProps, type PresetState } from "./PresetModel.ts"
import { formatJson, formatNames, presetPath, type Version, versionName } from "./PresetTraits.ts"

interface Props extends PresetProps {
  readonly version: Version
  readonly onNew: (from: Version) => void
}

interface PointersProps {
  readonly state: PresetState
  readonly version: number
}

const LiveBadge = ({ isActive }: { readonly isActive: boolean }) => (
  <Badge tone={isActive ? "good" : "idle"}>{isActive ? "live" : "live when active"}</Badge>
)

export const Pointers = ({ state, version }: PointersProps) => (
  <span class="pointers">
    {designatedOf(state) === version ? (
      <LiveBadge isActive={state.preset.status === "active"} />
    ) : null}
    {labelsOf(state, version).map(({ is_protected, label }) => (
      <span class="label-chip" key={label}>
        {label}
        {is_protected ? <span class="hidden"> (protected)</span> : null}
      </span>
    ))}
  </span>
)

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null

const Settings = ({ config }: { readonly config: Record<string, unknown> }) => (
  <dl class="lines">
    {Object.entries(config).map(([name, value]) => (
      <div class="setting stack-3" key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{isPlain(value) ? <code>{String(value)}</code> : <pre>{formatJson(value)}</pre>}</dd>
      </div>
    ))}
  </dl>
)

/** Whether a version has pointers, in which case its content cannot be erased. */
const isPointedTo = (state: PresetState, number: number): boolean =>
  number === designatedOf(state) || labelsOf(state, number).length > 0

const Actions = ({ model, onNew, state, version }: Props) => {
  const labels = useOpening()
  const designated = designatedOf(state)
  const number = version.version
  const isBack = designated !== undefined && number < designated
  const known = variablesOf(state.preset.designated_version?.system_prompt ?? null)
  return (
    <>
      <NewVariables version={version} known={known} />
      <div class="cluster">
        {number === designated ? null : (
          <Button
            class="is-primary"
            icon={isBack ? "retry" : "check"}
            onClick={() => void designate(model, state, number)}
          >
            {isBack ? `Roll back to ${versionName(number)}` : `Make ${versionName(number)} live`}
          </Button>
        )}
        <Button onClick={labels.open}>Labels…</Button>
        <Button onClick={() => onNew(version)}>New version from this…</Button>
        {isPointedTo(state, number) ? null : (
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
      {labels.isOpen.value ? (
        <LabelDialog model={model} state={state} version={version} onClose={labels.close} />
      ) : null}
    </>
  )
}

const Content = ({ version }: { readonly version: Version }) => {
  if (deletedItems.value.has(version.id)) {
    return <p class="note">The content will be erased in a moment unless you undo it.</p>
  }
  if (version.erased_at !== undefined) {
    return (
      <p class="note">
        The content was erased <Time at={version.erased_at} isExact />. The version number remains.
      </p>
    )
  }
  return (
    <>
      <section class="pane box">
        <h3>System prompt</h3>
        {version.system_prompt === null ? (
          <p class="hint">None.</p>
        ) : (
          <pre class="prompt" dir="auto">
            {version.system_prompt}
          </pre>
        )}
      </section>
      <section class="pane box">
        <h3>Settings</h3>
        {Object.keys(version.config).length === 0 ? (
          <p class="hint">None.</p>
        ) : (
          <Settings config={version.config} />
        )}
      </section>
    </>
  )
}

export const VersionDetail = (props: Props) => {
  const { model, state, version } = props
  const number = version.version
  const designated = designatedOf(state) ?? number
  const compare = (one: number, other: number): string => {
    const points = `from=${Math.min(one, other)}&to=${Math.max(one, other)}`
    return linkTo(`${presetPath(model.slug)}?view=compare&${points}`)
  }
  const canWrite = can("presets:write") && state.preset.status === "active"
  const isErased = version.erased_at !== undefined || deletedItems.value.has(version.id)
  return (
    <article class="version stack" aria-label={versionName(number)}>
      <header class="version-head apart">
        <div>
          <h2>
            {versionName(number)} <Pointers state={state} version={number} />
          </h2>
          <p class="hint">
            {formatNames[version.format]} · created <Time at={version.created_at} isExact /> by{" "}
            <Person id={version.creator_id} keys={state.keys} />
          </p>
          {version.wins.length === 0 ? null : (
            <p class="hint">Overrides requests in {version.wins.join(", ")}</p>
          )}
          {version.comment === undefined ? null : <p dir="auto">{version.comment}</p>}
        </div>
        <div class="cluster">
          {number === designated || number - 1 === designated ? null : (
            <a class="button is-small" href={compare(number, designated)}>
              Compare with live
            </a>
          )}
          {number > 1 ? (
            <a class="button is-small" href={compare(number, number - 1)}>
              Compare with {versionName(number - 1)}
            </a>
          ) : null}
        </div>
      </header>
      {canWrite && !isErased ? <Actions {...props} /> : null}
      <Content version={version} />
    </article>
  )
}
