/** What a key or a workspace is called, as far as that is known, and the id that tells it apart. */
import { endOf } from "../ui/Ids.ts"

/** Shows the name. */
export const Name = (given: {
  readonly id: string | null
  readonly names: ReadonlyMap<string, string>
  /** What stands where there is none. */
  readonly none: string
}) => {
  const { id, names, none } = given
  if (id === null) return <>{none}</>
  const name = names.get(id) ?? ""
  return name === "" ? (
    <code>{id}</code>
  ) : (
    <>
      {name} <code class="hint">{endOf(id)}</code>
    </>
  )
}
