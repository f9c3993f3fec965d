/**
 * A client whose statements speak of the tables by their names in a shared database. It is the same
 * client otherwise: its sessions and its transactions are those of the other one.
 */
import type { SqlClient, Statement } from "effect/sql"
import { traitsOf, withTraits } from "./ClientTraits.ts"
import { renameIn } from "./Renaming.ts"
import type { TableNames } from "./TableNames.ts"

/** Texts that are kept, as many as our statements come in; the others are read again. */
const keptMax = 1_000

/** Longer ones are those of a copy, with a place for each value of many rows. */
const keptLengthMax = 20_000

/** Renames texts, each of them once. */
const makeRename = (names: TableNames): ((text: string) => string) => {
  // A map keeps the order of insertion: the first key is the oldest.
  const kept = new Map<string, string>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const renamed = renameIn(names, text)
    if (text.length > keptLengthMax) return renamed
    kept.set(text, renamed)
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
    return renamed
  }
}

type Compile = Statement.Statement<unknown>["compile"]

/** The client that uses these names; the given one where they are as the migrations write them. */
export const giveNames = (client: SqlClient.SqlClient, names: TableNames): SqlClient.SqlClient => {
  if (names.prefix === "" && names.schema === undefined) return client
  const rename = makeRename(names)
  // One for all statements: each takes its text by this method, when it runs and when it is asked.
  function compile(this: { readonly plain: Compile }, isPlain?: boolean): ReturnType<Compile> {
    const [text, params] = this.plain(isPlain)
    return [rename(text), params]
  }
  const withNames = <A>(made: Statement.Statement<A>): Statement.Statement<A> =>
    Object.assign(made, { plain: made.compile, compile })
  const tag = (first: TemplateStringsArray | string, ...rest: ReadonlyArray<unknown>): unknown =>
    typeof first === "string" ? client(first) : withNames(client(first, ...rest))
  const unsafe: SqlClient.SqlClient["unsafe"] = (text, params) =>
    withNames(client.unsafe(text, params))
  const copy: SqlClient.SqlClient = Object.assign(tag as SqlClient.SqlClient, client, { unsafe })
  Object.assign(copy, { safe: copy, withoutTransforms: () => copy })
  return withTraits(copy, { ...traitsOf(client), names })
}
