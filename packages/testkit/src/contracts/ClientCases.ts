/**
 * The cases to run for a client of a database that a full run has proven by another client: a
 * host's pool or driver. Statements are the same; what a client does its own way is chosen here.
 */

/** Titles of cases, by what a client can get wrong. */
export const clientCases: Readonly<Record<string, ReadonlyArray<string>>> = {
  /** How values are sent and read: large numbers, JSON, texts, nulls, instants. */
  values: [
    "keeps every state of a whole life as it is",
    "keeps every text of a request as it is",
    "keeps a transcript of 20 MB",
    "keeps the peaks that come with a transcript, of one piece or many",
    "lists the jobs that were accepted from one instant up to another",
    "sums what is larger than 32 bits exactly",
    "keeps large balances exact",
    "keeps what a key is for: its name, its holder, its scopes, its limits and its end",
    "keeps every JSON value as it is",
    "keeps the digits of every number, also beside others in one page",
    "lists and counts the presets that have a label or a text in them, and no others",
    "keeps as many segments as ten hours may have corrected",
    "says how far the next token has come",
    "keeps the last sign of a worker, and the time of its first one"
  ],
  /** Whether a refusal takes back all that a transaction wrote. */
  transactions: [
    "refuses to insert an id again, and changes nothing",
    "refuses a commit decided on an older revision, and writes nothing",
    "writes nothing of a job that there is no room for",
    "refuses a workspace that does not exist, and writes nothing",
    "erases nothing when the preset has changed since",
    "founds nothing when there is a workspace, and writes nothing",
    "replaces no key that is revoked, unknown, or of another workspace",
    "refuses a version that was decided on another one, and writes nothing of it",
    "removes jobs with all that they have but their charges, and no others"
  ],
  /** Whether callers that share sessions are each answered for themselves. */
  sessions: [
    "answers each of many commits of one job at once for itself",
    "answers each of many requests at once for itself, whatever their keys",
    "loses no charge and no credit when many of them race",
    "lets no more jobs be unfinished than may be, of many inserted at once, and no fewer",
    "gives nothing a place before one that was told, whoever commits meanwhile",
    "gives 64 writers of one new slug one preset with the versions 1 to 64",
    "replaces a key once, however often it comes at once",
    "gives no work to two of many claims at once",
    "lets either a removal or a commit of the same revision win",
    "gives no more than a bucket holds to many who ask at once, and no less",
    "adds an operator key once, as it is, and no other with its hash"
  ]
}
