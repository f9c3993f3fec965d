/** Shows the users behind ids, by their own names or by the names of their keys. */
import { shortId } from "../ui/Words.ts"
import { type Key, nameOfKey } from "./KeyCalls.ts"

const namedMax = 2

/** Only management keys can change presets. Undefined if none belongs to the user. */
const nameOfUser = (keys: ReadonlyArray<Key>, id: string): string | undefined => {
  const own = keys.filter((key) => key.user_id === id && key.kind === "management")
  const user = own[0]?.user ?? undefined
  const [first, ...others] = new Set(user === undefined ? own.map(nameOfKey) : [user])
  return others.length < namedMax && first !== undefined
    ? [first, ...others].join(" or ")
    : first && `${first} and ${others.length} more`
}

export const Person = ({
  id,
  keys
}: {
  readonly id: string
  readonly keys: ReadonlyArray<Key>
}) => {
  const name = nameOfUser(keys, id)
  return name === undefined ? (
    <code title={id}>{shortId(id)}</code>
  ) : (
    <span title={id} dir="auto">
      {name}
    </span>
  )
}
