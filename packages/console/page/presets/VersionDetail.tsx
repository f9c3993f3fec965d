/** One version: what it says, what points to it, and what can be done with it. */

import { linkTo } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge } from "../ui/Card.tsx"
import { useOpening } from "../ui/Dialog.tsx"
import { leaving } from "../ui/Leaving.ts"
import { Time } from "../ui/Time.tsx"
import { endOf } from "../ui/Words.ts"
import { LabelDialog } from "./LabelDialog.tsx"
import { designate, eraseVersion } from "./PresetActions.ts"
import { designatedOf, labelsOf, type Shown, type Standing } from "./PresetModel.ts"
import { formatNames, presetPath, type Version, versionName, writeJson } from "./PresetTraits.ts"

interface Given extends Shown {
  readonly version: Version
  readonly onNew: (from: Version) => void
}

/** What points to a version. */
export const Pointers = ({
  standing,
  version
}: {
  readonly standing: Standing
  readonly version: number
}) => (
  <span class="pointers">
    {designatedOf(standing) === version ? <Badge tone="good">designated</Badge> : null}
    {labelsOf(standing, version).map(({ is_protected, label }) => (
      <span class="label-chip" key={label}>
        {label}
        {is_protected ? <span class="hidden"> (protected)</span> : null}
      </span>
    ))}
  </span>
)

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null

const Settings = ({ config }: { readonly config: Record<string, unknown> }) => (
  <dl class="settings">
    {Object.entries(config).map(([name, value]) => (
      <div class="setting stack-3" key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{isPlain(value) ? <code>{String(value)}</code> : <pre>{writeJson(value)}</pre>}</dd>
      </div>
    ))}
  </dl>
)

/** What something points to keeps its content. */
const isPointedTo = (standing: Standing, number: number): boolean =>
  number === designatedOf(standing) || labelsOf(standing, number).length > 0

const Actions = ({ model, onNew, standing, version }: Given) => {
  const labels = useOpening()
  const designated = designatedOf(standing)
  const number = version.version
  const isBack = designated !== undefined && number < designated
  return (
    <div class="version-actions">
      {number === designated ? null : (
        <Button
          class="is-primary"
          icon={isBack ? "retry" : "check"}
          onClick={() => void designate(model, standing, number)}
        >
          {isBack ? `Roll back to ${versionName(number)}` : `Designate ${versionName(number)}`}
        </Button>
      )}
      <Button onClick={labels.open}>Labels…</Button>
      <Button onClick={() => onNew(version)}>New version from it…</Button>
      {isPointedTo(standing, number) ? null : (
        <Button
          class="is-danger"
          icon="trash"
          title="For what should never have been stored. The number stays."
          onClick={() => eraseVersion(model, version)}
        >
          Erase its content
        </Button>
      )}
      {labels.isOpen.value ? (
        <LabelDialog model={model} standing={standing} version={number} onClose={labels.close} />
      ) : null}
    </div>
  )
}

const Content = ({ version }: { readonly version: Version }) => {
  if (leaving.value.has(version.id)) {
    return <p class="note">The content is erased in a moment, unless you undo it.</p>
  }
  if (version.erased_at !== undefined) {
    return (
      <p class="note">
        The content was erased <Time at={version.erased_at} isExact />. Its number stays.
      </p>
    )
  }
  return (
    <>
      <section class="pane box">
        <h3>System prompt</h3>
        {version.system_prompt === null ? (
          <p class="hint">It has none.</p>
        ) : (
          <pre class="prompt" dir="auto">
            {version.system_prompt}
          </pre>
        )}
      </section>
      <section class="pane box">
        <h3>Settings</h3>
        {Object.keys(version.config).length === 0 ? (
          <p class="hint">It has none.</p>
        ) : (
          <Settings config={version.config} />
        )}
      </section>
    </>
  )
}

/** Shows the version. */
export const VersionDetail = (given: Given) => {
  const { model, standing, version } = given
  const number = version.version
  const points = `from=${Math.max(1, number - 1)}&to=${number}`
  const compared = `${presetPath(model.slug)}?view=compare&${points}`
  const mayWrite = may("presets:write") && standing.preset.status === "active"
  const isErased = version.erased_at !== undefined || leaving.value.has(version.id)
  return (
    <article class="version stack" aria-label={versionName(number)}>
      <header class="version-head apart">
        <div>
          <h2>
            {versionName(number)} <Pointers standing={standing} version={number} />
          </h2>
          <p class="hint">
            {formatNames[version.format]} · made <Time at={version.created_at} isExact /> by{" "}
            <code>{endOf(version.creator_id)}</code>
          </p>
          {version.wins.length === 0 ? null : (
            <p class="hint">Wins over requests in {version.wins.join(", ")}</p>
          )}
          {version.comment === undefined ? null : <p dir="auto">{version.comment}</p>}
        </div>
        {number > 1 ? (
          <a class="button is-small" href={linkTo(compared)}>
            Compare with {versionName(number - 1)}
          </a>
        ) : null}
      </header>
      {mayWrite && !isErased ? <Actions {...given} /> : null}
      <Content version={version} />
    </article>
  )
}
