/** Which version is meant: a number, a label, or one of the two words that need none. */
import { Field } from "../ui/Forms.tsx"
import type { Standing } from "./PresetModel.ts"
import { reservedPoints, versionName } from "./PresetTraits.ts"

/** Versions that are offered; any other can be written. */
const offeredMax = 30

const pointForm = "[1-9][0-9]{0,8}|v[1-9][0-9]{0,8}|[a-z][a-z0-9_\\-]{0,62}"

/** A point as the API takes it. */
const readPoint = (text: string): string => {
  const point = text.trim()
  return /^v\d+$/.test(point) ? point.slice(1) : point
}

/** Shows the field. */
export const PointField = (given: {
  readonly label: string
  readonly id: string
  readonly standing: Standing
  readonly value: string
  readonly onChange: (point: string) => void
}) => {
  const { id, label, onChange, standing, value } = given
  return (
    <Field label={label} class="point-field">
      <input
        class="input"
        list={id}
        required
        pattern={pointForm}
        title="A number, a label, designated or latest"
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
          <option key={point} value={point} />
        ))}
        {standing.labels.map((each) => (
          <option key={each.label} value={each.label}>
            {versionName(each.version)}
          </option>
        ))}
        {standing.versions.slice(0, offeredMax).map(({ comment, version }) => (
          <option key={version} value={String(version)}>
            {comment}
          </option>
        ))}
      </datalist>
    </Field>
  )
}
