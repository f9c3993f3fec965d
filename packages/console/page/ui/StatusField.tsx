/** A choice of one status or all of them, which stands in the address. */
import { query, setQuery } from "../Router.ts"

/** Shows the choice. */
export const StatusField = <Status extends string>(given: {
  readonly statuses: ReadonlyArray<Status>
  readonly wordOf: (status: Status) => string
}) => (
  <label class="select-field">
    <span class="hidden">Status</span>
    <select
      class="select"
      value={query.value.get("status") ?? ""}
      onChange={(event) => setQuery("status", event.currentTarget.value)}
    >
      <option value="">Every status</option>
      {given.statuses.map((status) => (
        <option key={status} value={status}>
          {given.wordOf(status)}
        </option>
      ))}
    </select>
  </label>
)
