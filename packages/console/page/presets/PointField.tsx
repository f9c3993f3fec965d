/** A field for choosing a version by number, label, `designated` or `latest`. */
import { Field } from "../ui/Forms.tsx"
import type { PresetState } from "./PresetModel.ts"
import { reservedPoints, versionName } from "./PresetTraits.ts"

/** Maximum number of suggested versions. The user can type any other version. */
const offeredMax = 30

const pointForm = "[1-9][0-9]{0,8}|v[1-9][0-9]{0,8}|[a-z][a-z0-9_\\-]{0,62}"

/** Converts a point to the API's form. */
const readPoint = (text: string): string => {
  const point = text.trim()
  return /^v\d+$/.test(point) ? point.slice(1) : point
}

export const PointField = (props: {
  readonly label: string
  readonly id: string
  readonly state: PresetState
  readonly value: string
  readonly onChange: (point: string) => void
}) => {
  const { id, label, onChange, state, value } = props
  return (
    <Field label={label}>
      <input
        class="input"
        list={id}
        required
        pattern={pointForm}
        title="A version number, a label, designated (live) or latest"
        value={value}
        autocomplete="off"
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          if (event.currentTarget.reportValidity()) onChange(readPoint(event.currentTarget.value))
        }}
      />
      <datalist id={id}>
        {reservedPoints.map((point) => (
          <option key={point} value={point}>
            {point === "designated" ? "live version" : "newest version"}
          </option>
        ))}
        {state.labels.map((each) => (
          <option key={each.label} value={each.label}>
            {versionName(each.version)}
          </option>
        ))}
        {state.versions.slice(0, offeredMax).map(({ comment, version }) => (
          <option key={version} value={String(version)}>
            {comment}
          </option>
        ))}
      </datalist>
    </Field>
  )
}
