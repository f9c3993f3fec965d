/** What points to a version: the designation, and labels. */
import { Badge } from "../ui/Card.tsx"
import { designatedOf, labelsOf, type Standing } from "./PresetModel.ts"

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
