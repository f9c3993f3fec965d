/**
 * Cases to run with another database client, such as a host's pool or driver, once the full
 * contract has passed with one client. The statements are the same, but the results of these cases
 * depend on the client.
 */

/** Case titles, grouped by what a client can get wrong. */
export const clientCases: Readonly<Record<string, ReadonlyArray<string>>> = {
  /** How values are encoded: large numbers, JSON, strings, nulls and instants. */
  values: [
    "keeps every state of a job's life unchanged",
    "keeps every text of a request unchanged",
    "keeps a transcript of 20 MB",
    "keeps the peaks of a transcript, in one piece or many",
    "lists the jobs accepted from one instant up to another",
    "sums amounts larger than 32 bits exactly",
    "keeps large balances exact",
    "keeps a key's name, holder, scopes, limits and expiry",
    "keeps every JSON value unchanged",
    "keeps the digits of every number, also with others on one page",
    "lists and counts only the presets with a given label or text",
    "keeps corrections of every segment of a ten-hour transcript",
    "returns how much of the next token has been refilled",
    "keeps the last heartbeat of a worker, and the time of its first"
  ],
  /** Whether a refusal rolls back everything its transaction wrote. */
  transactions: [
    "refuses to insert an existing id, and changes nothing",
    "refuses a commit decided on an outdated revision, and writes nothing",
    "writes nothing of a job beyond the limit",
    "refuses an unknown workspace, and writes nothing",
    "refuses to erase a version when the preset has changed",
    "refuses to found a second workspace, and writes nothing",
    "refuses to rotate a key that is revoked, unknown, or of another workspace",
    "refuses a version decided on an outdated one, and writes nothing",
    "removes only the given jobs, with all their rows except their charges"
  ],
  /** Whether callers that share sessions each get their own answer. */
  sessions: [
    "answers each of many concurrent commits to one job for itself",
    "answers each of many concurrent requests for itself, with and without keys",
    "books every one of many concurrent charges and credits",
    "accepts exactly as many unfinished jobs as allowed from many concurrent inserts",
    "places every new commit after those already read, under concurrent writers",
    "gives 64 concurrent writers of a new slug one preset with versions 1 to 64",
    "rotates a key once when the same rotation is repeated concurrently",
    "hands out each job to one of many concurrent claims",
    "lets either a removal or a concurrent commit on the same revision win",
    "grants many concurrent calls exactly the tokens that a bucket holds",
    "adds an operator key once and unchanged, and refuses another with its hash"
  ]
}
