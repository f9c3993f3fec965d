/** A link to a version, and a field for choosing a version by number or by label. */
import { linkTo } from "../Router.ts"
import { SelectField } from "../ui/Forms.tsx"
import { designatedOf, type PresetState } from "./PresetModel.ts"
import { versionName, versionPath } from "./PresetTraits.ts"

const offeredMax = 500
const commentMax = 40
type LinkProps = Readonly<{ slug: string; version: number }>
export const VersionLink = ({ slug, version }: LinkProps) => (
  <a href={linkTo(versionPath(slug, version))}>{versionName(version)}</a>
)

const optionsOf = (state: PresetState): ReadonlyArray<readonly [point: string, word: string]> => {
  const { labels, total, versions } = state
  const comments = new Map(versions.map(({ comment, version }) => [version, comment]))
  const wordOf = (version: number): string => {
    const comment = comments.get(version)?.slice(0, commentMax)
    return comment === undefined ? versionName(version) : `${versionName(version)} · ${comment}`
  }
  const numbers = Array.from({ length: Math.min(total, offeredMax) }, (_, index) => total - index)
  return [
    ["designated", `live (${versionName(designatedOf(state) ?? total)})`],
    ["latest", `newest (${versionName(total)})`],
    ...labels.map(({ label, version }) => [label, `${label} (${versionName(version)})`] as const),
    ...numbers.map((version) => [String(version), wordOf(version)] as const)
  ]
}

export const PointField = (props: {
  readonly label: string
  readonly state: PresetState
  readonly value: string
  readonly onChange: (point: string) => void
}) => {
  const { label, onChange, state, value } = props
  const options = optionsOf(state)
  // The address can name a point that is not offered, such as a label that was removed.
  const all = options.some(([point]) => point === value)
    ? options
    : [[value, value] as const, ...options]
  return <SelectField label={label} options={all} value={value} onChange={onChange} />
}
