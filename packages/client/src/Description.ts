/**
 * The API as types: paths, operations and schemas. Written from the OpenAPI document by
 * `npm run client -- --write`; a change by hand is lost.
 */
export interface paths {
  "/presets/{slug}/responses": {
    /**
     * Create a preset, or a version of it, from the body of a Responses-style request
     *
     * Stores the fields that a preset keeps as the next version of the preset, which is created
     * when there is none. The new version is the designated one. With `stage=true` the designated
     * one stays, and the answer has the new one as `staged_version`; the first version of a preset
     * is designated all the same. With `dry_run=true` nothing is stored, and the answer tells what
     * the request would become. Needs a management key. Takes the scope `presets:write`.
     */
    post: operations["presets.createFromResponses"]
  }
  "/presets/{slug}/chat/completions": {
    /**
     * Create a preset, or a version of it, from the body of a chat-completions request
     *
     * Stores the fields that a preset keeps as the next version of the preset, which is created
     * when there is none. The new version is the designated one. With `stage=true` the designated
     * one stays, and the answer has the new one as `staged_version`; the first version of a preset
     * is designated all the same. With `dry_run=true` nothing is stored, and the answer tells what
     * the request would become. Needs a management key. System and developer messages become the
     * system prompt, joined by an empty line. Takes the scope `presets:write`.
     */
    post: operations["presets.createFromChatCompletions"]
  }
  "/presets/{slug}/messages": {
    /**
     * Create a preset, or a version of it, from the body of a messages request
     *
     * Stores the fields that a preset keeps as the next version of the preset, which is created
     * when there is none. The new version is the designated one. With `stage=true` the designated
     * one stays, and the answer has the new one as `staged_version`; the first version of a preset
     * is designated all the same. With `dry_run=true` nothing is stored, and the answer tells what
     * the request would become. Needs a management key. `system`, system and developer messages
     * become the system prompt, joined by an empty line. Takes the scope `presets:write`.
     */
    post: operations["presets.createFromMessages"]
  }
  "/presets/{slug}/versions": {
    /**
     * List the versions of a preset
     *
     * The oldest first. Takes the scope `presets:read`.
     */
    get: operations["presets.versions"]
    /**
     * Create a version of a preset from another one
     *
     * With some of its parts changed: the rest stays, its format and what wins over requests
     * included. A preset that others change meanwhile is read again, so none of two changes is
     * lost. All that a creation takes in the query stands in the body. Needs a management key.
     * Takes the scope `presets:write`.
     */
    post: operations["presets.createFromVersion"]
  }
  "/presets": {
    /**
     * List presets
     *
     * Those of the workspace of the key, the last updated first. Takes the scope `presets:read`.
     */
    get: operations["presets.list"]
  }
  "/presets/{slug}": {
    /**
     * Read a preset with its designated version
     *
     * Whatever its status is. Takes the scope `presets:read`.
     */
    get: operations["presets.get"]
    /**
     * Remove an archived preset
     *
     * With its versions, its labels and all that is known of it, for good. Its slug is free at
     * once. Needs a management key, which must be one that may remove each of its labels: where one
     * is protected, one with the scope `labels:<name>`. Takes the scope `presets:write`.
     */
    delete: operations["presets.remove"]
    /**
     * Change status, name or description of a preset
     *
     * What is left out stays as it is. An archived preset only takes the status `active`. Needs a
     * management key. A status takes the labels of the preset out of service, or brings them back:
     * where one is protected, the key needs the scope `labels:<name>`. Takes the scope
     * `presets:write`.
     */
    patch: operations["presets.revise"]
  }
  "/presets/{slug}/versions/{version}": {
    /**
     * Read a version of a preset
     *
     * A version never changes, but for one thing: its content may be erased. Takes the scope
     * `presets:read`.
     */
    get: operations["presets.version"]
  }
  "/presets/{slug}/designated-version": {
    /**
     * Designate a version of a preset
     *
     * To roll back, for example. Needs a management key. Takes the scope `presets:write`.
     */
    put: operations["presets.designate"]
  }
  "/presets/{slug}/designations": {
    /**
     * Read who designated which version when
     *
     * In the order in which it happened. A new version designates itself. Takes the scope
     * `presets:read`.
     */
    get: operations["presets.designations"]
  }
  "/presets/{slug}/diff": {
    /**
     * Compare two versions of a preset
     *
     * Or two of two presets. A version is named by its number, by a label, or as `designated` or
     * `latest`. Paths are JSON pointers (RFC 6901) into the config. Objects are looked into; lists
     * and single values are compared as wholes. Takes the scope `presets:read`.
     */
    get: operations["presets.diff"]
  }
  "/presets/{slug}/versions/{version}/content": {
    /**
     * Erase the content of a version
     *
     * For what should never have been stored, such as a secret in a prompt. The version keeps its
     * number, its author and its comment, and says when it was erased and by whom. It must not be
     * the designated one, nor have a label, protected or not. Twice is once. Needs a management
     * key. Takes the scope `presets:write`.
     */
    delete: operations["presets.erase"]
  }
  "/presets/{slug}/labels": {
    /**
     * List the labels of a preset
     *
     * By name, at most 50. Takes the scope `presets:read`.
     */
    get: operations["labels.list"]
  }
  "/presets/{slug}/labels/{label}": {
    /**
     * Read where a label points
     *
     * And since when. Takes the scope `presets:read`.
     */
    get: operations["labels.get"]
    /**
     * Point a label to a version
     *
     * Makes the label where there is none. Pointing it to where it points changes nothing. Needs a
     * management key; where the label is protected, one with the scope `labels:<name>`. Takes the
     * scope `presets:write` or `labels:{label}`.
     */
    put: operations["labels.move"]
    /**
     * Remove a label from a preset
     *
     * Its history stays. Needs a management key; where the label is protected, one with the scope
     * `labels:<name>`. Takes the scope `presets:write` or `labels:{label}`.
     */
    delete: operations["labels.remove"]
  }
  "/presets/{slug}/labels/{label}/moves": {
    /**
     * Read who moved a label when
     *
     * In the order in which it happened; also of a label that was removed. Takes the scope
     * `presets:read`.
     */
    get: operations["labels.moves"]
  }
  "/labels/protected": {
    /**
     * List the protected labels
     *
     * Of the workspace of the key, by name, at most 50. Takes the scope `presets:read`.
     */
    get: operations["labels.listProtected"]
  }
  "/labels/protected/{label}": {
    /**
     * Protect a label
     *
     * From now on only keys with the scope `labels:<name>` move or remove it, in all presets of the
     * workspace, change the status of a preset that has it, or remove that preset. Twice is once.
     * Takes a management key that was given the scope by name: one without a list of scopes has
     * none of a label. Takes the scope `labels:{label}`.
     */
    put: operations["labels.protect"]
    /**
     * Lift the protection of a label
     *
     * From now on every key that designates versions moves it. Twice is once. Takes a management
     * key that was given the scope by name: one without a list of scopes has none of a label. Takes
     * the scope `labels:{label}`.
     */
    delete: operations["labels.unprotect"]
  }
  "/presets/{slug}/pin": {
    /**
     * Read the version that is meant
     *
     * The designated version is meant, unless the query names another one; the name of the preset
     * may also end in `@3`, a version, or in `@production`, a label. For programs that lay requests
     * over it themselves: the content of a version never changes. Takes the scope `presets:read`.
     */
    get: operations["resolutions.pin"]
  }
  "/presets/preview": {
    /**
     * Tell what a request would become
     *
     * Which of its fields a preset would keep, and what would change of the preset that is named.
     * With `variables`, also the system prompt that they make. Nothing is stored. Takes the scope
     * `presets:read`.
     */
    post: operations["resolutions.preview"]
  }
  "/presets/{slug}/resolve": {
    /**
     * Lay a request over a preset
     *
     * The designated version is meant, unless the query names another one; the name of the preset
     * may also end in `@3`, a version, or in `@production`, a label. The request wins, field by
     * field; tools are united. The answer is in the format of the request, which may have 32 MiB,
     * files included, and is not sent anywhere. Each `{{name}}` in the system prompt of the preset
     * takes its value from `variables` of the request, which are no part of the answer. Takes the
     * scope `presets:read`.
     */
    post: operations["resolutions.resolve"]
  }
  "/resolve": {
    /**
     * Lay a request over the preset that it names
     *
     * In its `preset`, as `notes`, `notes@3` or `notes@production`, or in its `model`, as
     * `@preset/notes` or `some/model@preset/notes`; or in the form of stored prompts, as `"prompt":
     * { "id": "notes", "version": "3", "variables": { "name": "Ann" } }`, unless the id begins with
     * `pmpt_`. The reference is no part of the answer. Takes the scope `presets:read`.
     */
    post: operations["resolutions.resolveNamed"]
  }
  "/transcribe": {
    /**
     * Have a file or a URL transcribed
     *
     * Takes `file` in a multipart form, or `url` in any encoding. Needs a balance of more than 60
     * minutes. Of several mistakes the first is told: key, balance, body, parameters in the order
     * of the examples, extension, size, reachability of the URL. Takes the scope
     * `transcriptions:write`.
     */
    post: operations["transcription.create"]
  }
  "/status/{id}": {
    /**
     * Read the status of a job, with its transcript when it is there
     *
     * `ACCEPTED` until the media is stored, `IN_QUEUE`, `IN_PROGRESS`, then `COMPLETED`, or
     * `TRANSCRIBED` when there is a `callback_url`, or `FAILED` with an `error`. Takes the scope
     * `transcriptions:read`.
     */
    get: operations["transcription.status"]
  }
  "/status/{id}/{modifier}": {
    /**
     * Read the transcript of a job in another form
     *
     * While the transcript is not there yet, the answer is the status of the job. Takes the scope
     * `transcriptions:read`.
     */
    get: operations["transcription.result"]
  }
  "/transcriptions": {
    /**
     * List jobs, newest first
     *
     * Without transcripts. `next_cursor` leads to the next page; on the last one it is null. Takes
     * the scope `transcriptions:read`.
     */
    get: operations["jobs.list"]
  }
  "/transcriptions/{id}": {
    /**
     * Read a job with all that is known of it
     *
     * The status, as `GET /v1/status/{id}` tells it, with when the job was accepted, what was sent
     * and what came of it; the transcript comes last. Takes the scope `transcriptions:read`.
     */
    get: operations["jobs.get"]
    /**
     * Delete a job, or cancel it
     *
     * Removes the job, its results, its history and its media. Work under way is stopped. No
     * webhook begins afterwards; a request that had begun before may still arrive, within 30
     * seconds of its start. What was charged stays charged. Takes the scope `transcriptions:write`.
     */
    delete: operations["jobs.remove"]
  }
  "/transcriptions/{id}/media": {
    /**
     * Play the recording of a job, while it is kept
     *
     * As it was sent, with its content type. Takes one `Range` with `If-Range`, and answers it with
     * 206, or with 416 where the recording has no such bytes; 304 where `If-None-Match` has its
     * `ETag`. A recording is there while its job waits or runs, for seven days after it failed, and
     * after it succeeded where the operator keeps media. Takes the scope `transcriptions:read`.
     */
    get: operations["jobs.media"]
  }
  "/transcriptions/{id}/peaks": {
    /**
     * Read how loud a recording is over its time
     *
     * For whoever draws it: a few kB, however long the recording is. Made when it was recognised,
     * and stored for as long as its transcript. Takes the scope `transcriptions:read`.
     */
    get: operations["jobs.peaks"]
  }
  "/transcriptions/{id}/history": {
    /**
     * Read what happened to a job
     *
     * Every event with its instant, oldest first, and every webhook request with the status code of
     * its receiver and its duration. Takes the scope `transcriptions:read`.
     */
    get: operations["jobs.history"]
  }
  "/transcriptions/{id}/webhook": {
    /**
     * Deliver the webhook again
     *
     * A new delivery of up to three attempts, with a new `webhook-id`. The job must have a
     * `callback_url` and nothing pending. At most once a minute for each job. Takes the scope
     * `transcriptions:write`.
     */
    post: operations["jobs.redeliver"]
  }
  "/transcriptions/{id}/retry": {
    /**
     * Run a failed job again
     *
     * Under its id, from where it failed, with its summary and its webhook. Its file stays stored
     * for seven days after the failure, unless the operator decided otherwise. A job is charged
     * once, when it succeeds. Takes the scope `transcriptions:write`.
     */
    post: operations["jobs.retry"]
  }
  "/transcriptions/{id}/speakers": {
    /**
     * Name the speakers of a transcript
     *
     * Every form of the transcript, a webhook that is delivered again and a summary that is made
     * again use the names. Speakers that are not mentioned keep theirs. What was recognised stays
     * stored as it is. Takes the scope `transcriptions:write`.
     */
    put: operations["corrections.nameSpeakers"]
  }
  "/transcriptions/{id}/segments": {
    /**
     * Correct segments of a transcript
     *
     * Their text, their speaker, or both. The words of a corrected text have no times of their own
     * any more: `word_json` shares out the time of the segment, and says `estimated`. Takes the
     * scope `transcriptions:write`.
     */
    patch: operations["corrections.correctSegments"]
  }
  "/transcriptions/{id}/corrections": {
    /**
     * Read the corrections of a transcript
     *
     * Everything that is corrected now, and the versions: who made them, when, and how much each of
     * them changed. Takes the scope `transcriptions:read`.
     */
    get: operations["corrections.list"]
  }
  "/transcriptions/{id}/corrections/{version}": {
    /**
     * Read a version of the corrections
     *
     * With every segment that it changed. Takes the scope `transcriptions:read`.
     */
    get: operations["corrections.get"]
  }
  "/transcriptions/{id}/corrections/current": {
    /**
     * Go back to an earlier version of the corrections
     *
     * Makes a new version that equals it, so nothing that was written is lost. Takes the scope
     * `transcriptions:write`.
     */
    put: operations["corrections.goBack"]
  }
  "/transcriptions/events": {
    /**
     * Listen to all jobs
     *
     * Server-sent events: every event of the history of every job of the workspace, from now on or
     * from `Last-Event-ID` on, each once. The data of an `event` is an entry of the history with
     * the `id` of its job; `progress` tells how far a job at work has come, and `deleted` that a
     * job is gone. After a `reset`, what came since `Last-Event-ID` cannot be told: list the jobs
     * again. The stream has no end; connect again when it breaks off. Takes the scope
     * `transcriptions:read`.
     */
    get: operations["events.all"]
  }
  "/transcriptions/{id}/events": {
    /**
     * Listen to a job
     *
     * Server-sent events: every event of its history from the beginning, or from `Last-Event-ID`
     * on, each once, and `progress` while the engine works. After its last event the stream ends
     * with `end`, or with `deleted`. Whoever connects again after `end` is answered with 204, at
     * which browsers stop. Takes the scope `transcriptions:read`.
     */
    get: operations["events.one"]
  }
  "/audio/transcriptions": {
    /**
     * Transcribe a file and wait for it, as OpenAI's clients do
     *
     * Behind it is an ordinary job: `X-Verbatim-Job-Id` names it, and it goes on when the caller
     * does not wait. The same call with the same key joins that job while it runs, and is answered
     * with its transcript for 24 hours after it began: it runs once and is charged once. The form
     * of the answer may differ. A failed or deleted job is not joined. With `stream` the answer is
     * events, `transcript.text.delta`, `transcript.text.segment` with `diarized_json`, and
     * `transcript.text.done`; a failure is the event `error`. Takes the scope
     * `transcriptions:write`.
     */
    post: operations["speech.transcribe"]
  }
  "/models": {
    /**
     * List the names of models
     *
     * All mean the engines that the operator has set up; `engine` tells which one works now. Takes
     * the scope `transcriptions:read`.
     */
    get: operations["speech.models"]
  }
  "/models/{model}": {
    /**
     * Look up the name of a model
     *
     * Whether it may be asked for here. Takes the scope `transcriptions:read`.
     */
    get: operations["speech.model"]
  }
  "/keys": {
    /**
     * List the keys of a workspace
     *
     * The oldest first, revoked ones too.
     */
    get: operations["keys.list"]
    /**
     * Issue a key
     *
     * Its token is in the answer, once. A workspace has at most 1000 keys; those that ended more
     * than 30 days ago make room for new ones.
     */
    post: operations["keys.issue"]
  }
  "/keys/{key_id}/rotate": {
    /**
     * Replace a key by a new one that is like it
     *
     * The old one goes on being valid for `overlap_seconds`, so that both work until the new one is
     * everywhere. The token of the new one is in the answer, once.
     */
    post: operations["keys.rotate"]
  }
  "/keys/{key_id}": {
    /**
     * Revoke a key
     *
     * It is refused at once, and for good.
     */
    delete: operations["keys.revoke"]
  }
  "/workspaces": {
    /**
     * List workspaces
     *
     * In the order of their creation, with what they have left.
     */
    get: operations["workspaces.list"]
    /**
     * Create a workspace
     *
     * It has no key and no minutes, and webhooks without a secret.
     */
    post: operations["workspaces.create"]
  }
  "/workspaces/by-external-id/{external_id}": {
    /**
     * Find the workspace with an external id, or create it
     *
     * It is made once, however many ask at the same time, and is then named after the external id.
     */
    put: operations["workspaces.ensure"]
  }
  "/workspaces/{id}": {
    /**
     * Read a workspace
     *
     * With what it has left. A deleted one can be read, too.
     */
    get: operations["workspaces.get"]
    /**
     * Delete a workspace
     *
     * Its keys are refused from now on, and what it has is removed in steps. Its ledger stays. Its
     * external id is free again.
     */
    delete: operations["workspaces.remove"]
    /**
     * Change a workspace: its name, its status, its limits, its keywords, or how long it keeps what
     *
     * What is left out stays as it is. The keys of a disabled workspace are refused; its jobs go
     * on.
     */
    patch: operations["workspaces.revise"]
  }
  "/workspaces/{id}/credits": {
    /**
     * Give minutes to a workspace
     *
     * Or take some away.
     */
    post: operations["workspaces.credit"]
  }
  "/workspaces/{id}/keys": {
    /**
     * List the keys of a workspace
     *
     * The oldest first, revoked ones too.
     */
    get: operations["workspaceKeys.list"]
    /**
     * Issue a key
     *
     * Its token is in the answer, once. A workspace has at most 1000 keys; those that ended more
     * than 30 days ago make room for new ones.
     */
    post: operations["workspaceKeys.issue"]
  }
  "/workspaces/{id}/keys/{key_id}/rotate": {
    /**
     * Replace a key by a new one that is like it
     *
     * The old one goes on being valid for `overlap_seconds`, so that both work until the new one is
     * everywhere. The token of the new one is in the answer, once.
     */
    post: operations["workspaceKeys.rotate"]
  }
  "/workspaces/{id}/keys/{key_id}": {
    /**
     * Revoke a key
     *
     * It is refused at once, and for good.
     */
    delete: operations["workspaceKeys.revoke"]
  }
  "/workspaces/{id}/labels/protected": {
    /**
     * List the protected labels of a workspace
     *
     * By name, at most 50.
     */
    get: operations["workspaceLabels.list"]
  }
  "/workspaces/{id}/labels/protected/{label}": {
    /**
     * Protect a label in a workspace
     *
     * From now on only keys with the scope `labels:<name>` move or remove it, in all presets of the
     * workspace. Only operators give that scope to a key. Twice is once.
     */
    put: operations["workspaceLabels.protect"]
    /**
     * Lift the protection of a label in a workspace
     *
     * From now on every key that designates versions moves it. Twice is once.
     */
    delete: operations["workspaceLabels.unprotect"]
  }
  "/usage": {
    /**
     * Read what was used
     *
     * What was charged and credited, by day, by key or by workspace. A key of a workspace reads its
     * own; an operator key reads all workspaces or one, deleted ones too. Takes the scope
     * `usage:read`.
     */
    get: operations["usage.read"]
  }
  "/workspaces/{id}/ledger": {
    /**
     * Read the ledger of a workspace
     *
     * Each charge and each credit, the newest first. Whoever follows the cursors gets each line
     * that was there at the first page, once. Lines stay when their job is deleted. An operator key
     * reads that of every workspace, deleted ones too; a key of a workspace its own. Takes the
     * scope `usage:read`.
     */
    get: operations["usage.ledger"]
  }
  "/ledger": {
    /**
     * Read the ledger of one's own workspace
     *
     * Each charge and each credit, the newest first. Whoever follows the cursors gets each line
     * that was there at the first page, once. Lines stay when their job is deleted. Takes the scope
     * `usage:read`.
     */
    get: operations["usage.ownLedger"]
  }
  "/work": {
    /**
     * Read which workers there are, and what is owed
     *
     * Of all processes and all workspaces. For people to look at: an answer may be two seconds old.
     */
    get: operations["work.survey"]
  }
  "/work/history": {
    /**
     * Read how much was owed over the last day
     *
     * Of all processes and all workspaces, as the process that answers has counted it: once a
     * minute since its start. A minute in which the store did not answer is missing.
     */
    get: operations["work.queueHistory"]
  }
  "/health": {
    /** Whether the server takes requests; engine and worker beside it */
    get: operations["system.health"]
  }
  "/health/ready": {
    /** Whether engine and worker can do their work */
    get: operations["system.ready"]
  }
  "/": {
    /** What this server is, and where it is described */
    get: operations["system.welcome"]
  }
}
export interface webhooks {
  "transcription.ended": {
    /**
     * A transcription and its summary have ended, or failed
     *
     * One POST to the `callback_url`. The body is the status of the job, or the transcript in the
     * form of the `modifier`; an error report is always the status, with `error`. Up to 3 attempts
     * with the same body, at least 60 seconds apart, each of at most 30 seconds. Redirects are not
     * followed. It may arrive more than once.
     */
    post: operations["transcription.ended"]
  }
}
export interface components {
  schemas: {
    Welcome: {
      name: string
      version: string
      documentation: string
      description: string
    }
    Health: {
      version: string
      /** @enum {string} */
      status: "ok" | "unavailable"
      ready: boolean
      reasons: string[]
      /** @enum {string} */
      store: "up" | "read_only" | "down"
      media: {
        /** @enum {string} */
        status: "ready" | "foreign" | "unreachable"
        detail: string
      }
      transcriber: {
        /** @enum {string} */
        status: "ready" | "preparing" | "unavailable"
        detail: string
      } | null
      worker: {
        running: {
          [key: string]: number
        }
        claimed_at: string | null
        out_of_reach: ("media store" | "speech engine" | "summarizer" | "database")[]
      } | null
    }
    /** The server failed. */
    WorkspaceError500: {
      error: {
        /** @enum {number} */
        code: 500
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The key may not do this: it takes an operator key. */
    WorkspaceError403: {
      error: {
        /** @enum {number} */
        code: 403
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The key is missing or not known. */
    WorkspaceError401: {
      error: {
        /** @enum {number} */
        code: 401
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * Too many requests of the key are under way, or as many came in a second as it or its
     * workspace may send; `Retry-After` says in how many seconds to come again.
     */
    WorkspaceError429: {
      error: {
        /** @enum {number} */
        code: 429
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** How much was owed, the oldest sample first. */
    QueueHistory: {
      data: components["schemas"]["QueueSample"][]
    }
    /** What was owed then, of each kind up to 10000 pieces. */
    QueueSample: {
      /**
       * Format: date-time
       *
       * ISO 8601 UTC with milliseconds.
       */
      at: string
      /** Due, and held by no worker. */
      due: number
      /** Not due yet. */
      later: number
      /** Held by a worker. */
      leased: number
    }
    /** The workers, the oldest first, and what is owed by kind and lane. */
    WorkAnswer: {
      data: {
        /**
         * Format: date-time
         *
         * ISO 8601 UTC with milliseconds.
         */
        at: string
        workers: components["schemas"]["WorkerView"][]
        owed: components["schemas"]["Debt"][]
      }
    }
    Debt: {
      /** A task, or `Isolate`: one that runs alone, because a process died with it. */
      kind: string
      /** Due, and held by no worker. */
      due: number
      /** Not due yet. */
      later: number
      /** Held by a worker. */
      leased: number
      /** Since when the first of those that are due has been waiting. */
      due_since: string | null
      /** In how many lanes it is. What goes to no other host is in none. */
      lane_count: number
      /** The lanes with most that is due first, 20 of them at most. */
      lanes: components["schemas"]["LaneDebt"][]
    }
    LaneDebt: {
      /** Whose it is; empty where an older program has left it out. */
      workspace_id: string
      /** Where it goes: the origin of a webhook, or `from` and the origin of a download. */
      lane: string
      /** Due, and held by no worker. */
      due: number
      /** Not due yet. */
      later: number
      /** Held by a worker. */
      leased: number
      /** Since when the first of those that are due has been waiting. */
      due_since: string | null
    }
    WorkerView: {
      id: string
      /** For people: the machine and the process. */
      name: string
      /** Whether it gave a sign within the time that its leases hold. */
      alive: boolean
      /**
       * Format: date-time
       *
       * ISO 8601 UTC with milliseconds.
       */
      started_at: string
      /**
       * Format: date-time
       *
       * ISO 8601 UTC with milliseconds.
       */
      seen_at: string
      /** How many attempts of each task run there. */
      running: {
        [key: string]: number
      }
      /** What it needs and cannot use: the work that needs it waits. */
      outages: components["schemas"]["OutageView"][]
    }
    OutageView: {
      /** @enum {string} */
      name: "media store" | "speech engine" | "summarizer" | "database"
      /** How often it failed in a row. */
      failures: number
      /** What it said, in its own words and without secrets, where it said something. */
      cause?: string
    }
    /** The server failed. */
    UsageError500: {
      error: {
        /** @enum {number} */
        code: 500
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The key lacks the scope, or its workspace is disabled. */
    UsageError403: {
      error: {
        /** @enum {number} */
        code: 403
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The key is missing or not known. */
    UsageError401: {
      error: {
        /** @enum {number} */
        code: 401
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * Too many requests of the key are under way, or as many came in a second as it or its
     * workspace may send; `Retry-After` says in how many seconds to come again.
     */
    UsageError429: {
      error: {
        /** @enum {number} */
        code: 429
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * There is no such workspace, or it is not that of the key; or an operator key asks for its own
     * ledger, which it has not.
     */
    UsageError404: {
      error: {
        /** @enum {number} */
        code: 404
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The request is malformed or breaks a rule; the message names each one. */
    UsageError400: {
      error: {
        /** @enum {number} */
        code: 400
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** Lines of the ledger, the newest first. */
    LedgerPage: {
      data: components["schemas"]["LedgerLine"][]
      /** The `cursor` of the next page; null on the last one. */
      next_cursor: string | null
    }
    LedgerLine: {
      /**
       * Format: date-time
       *
       * When the job was charged, or the credit given.
       */
      at: string
      /** What was added, negative where it was taken, as a decimal number with two digits. */
      minutes: string
      /** The same, exactly: milliseconds of audio. */
      millis: number
      /** The job that was charged, which may be deleted; null for a credit. */
      job_id: string | null
      /** The key that asked for the job; null where no key did, and for a credit. */
      key_id: string | null
      /** The id of the credit; null for a charge. */
      credit_id: string | null
    }
    /** The sums. */
    UsagePage: {
      /**
       * Format: date-time
       *
       * The first instant that is counted.
       */
      from: string
      /**
       * Format: date-time
       *
       * The first instant that is not counted any more.
       */
      to: string
      data: components["schemas"]["Usage"][]
      /** The `cursor` of the next page; null on the last one. */
      next_cursor: string | null
    }
    Usage: {
      /** The day of UTC; null unless by day. */
      day: string | null
      /** Null by day. */
      workspace_id: string | null
      /**
       * The key that asked for the jobs. Null for what no key asked for, such as credits, and
       * unless by key.
       */
      key_id: string | null
      /** Jobs that were charged. */
      jobs: number
      /** Minutes that were charged, as a decimal number with two digits. */
      charged_minutes: string
      /** The same, exactly: milliseconds of audio. */
      charged_millis: number
      /** Minutes that were given, less those taken away, as a decimal number with two digits. */
      credited_minutes: string
      /** The same, exactly: milliseconds of audio. */
      credited_millis: number
    }
    /**
     * Another workspace has the external id, somebody else changed the workspace at the same time,
     * or it has as many keys as it may.
     */
    WorkspaceError409: {
      error: {
        /** @enum {number} */
        code: 409
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** There is no such workspace or key. */
    WorkspaceError404: {
      error: {
        /** @enum {number} */
        code: 404
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The request is malformed or breaks a rule; the message names each one. */
    WorkspaceError400: {
      error: {
        /** @enum {number} */
        code: 400
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The protected labels, by name. */
    ProtectedLabelList: {
      data: components["schemas"]["ProtectedLabel"][]
    }
    ProtectedLabel: {
      label: string
      /** The user of the key; null when it was an operator. */
      protected_by: string | null
      /** Format: date-time */
      protected_at: string
    }
    /** The new key with its token. */
    IssuedKeyAnswer: {
      data: components["schemas"]["IssuedKey"]
    }
    IssuedKey: {
      /** Format: uuid */
      id: string
      /** Format: uuid */
      workspace_id: string
      /** @enum {string} */
      kind: "management" | "inference"
      name: string | null
      /** The host's own name for the user. Null where the key is the first user's. */
      user: string | null
      /** The user, as presets name their creators: `user_` and a UUID. */
      user_id: string
      /** What the key may do of what its kind may; null for all of that. */
      scopes: string[] | null
      /** How its token begins. */
      hint: string
      /** Format: date-time */
      created_at: string
      /** From when on it is refused. */
      expires_at: string | null
      /** When it was revoked. */
      revoked_at: string | null
      /** Within an hour. */
      last_used_at: string | null
      limits: components["schemas"]["Limits"]
      /** What is sent as `Authorization: Bearer <token>`. It is told here and never again. */
      token: string
    }
    Limits: {
      /** Requests in a second, over all processes. Null for no limit. */
      requests_per_second: number | null
      /** Jobs that have not ended, at the same time. Null for no limit. */
      unfinished_jobs: number | null
      /** Minutes of audio charged in a day of UTC. Null for no limit. */
      minutes_per_day: number | null
    }
    KeyRotation: {
      /** How long the old key goes on being valid; 3600 when left out. */
      overlap_seconds?: number
    }
    KeyOrder: {
      /** Only management keys change presets and manage keys. */
      kind: "management" | "inference"
      /** What people call it. */
      name?: string | null
      /**
       * The host's own name for the user whom the key belongs to; the first user of the workspace
       * when it is left out.
       */
      user?: string | null
      /**
       * What the key may do of what its kind may; all of that, but for labels, when it is left out.
       * The scope `labels:<name>`, for management keys, moves that label where it is protected;
       * only operators give it. A key with a list of scopes manages no keys.
       */
      scopes?:
        | (
            | (
                | "presets:read"
                | "presets:write"
                | "transcriptions:read"
                | "transcriptions:write"
                | "usage:read"
              )
            | (string & unknown)
          )[]
        | null
      /** From when on the key is refused; it lies in the future. */
      expires_at?: string | null
      /** What may be asked for with the key at most, beside the limits of its workspace. */
      limits?: components["schemas"]["GivenLimits"] | null
    }
    GivenLimits: {
      /** Requests in a second, over all processes. Null for no limit. */
      requests_per_second?: number | null
      /** Jobs that have not ended, at the same time. Null for no limit. */
      unfinished_jobs?: number | null
      /** Minutes of audio charged in a day of UTC. Null for no limit. */
      minutes_per_day?: number | null
    }
    /** The keys, revoked ones too. */
    KeyPage: {
      data: components["schemas"]["Key"][]
      /** Null: all keys are on one page. */
      next_cursor: null
    }
    Key: {
      /** Format: uuid */
      id: string
      /** Format: uuid */
      workspace_id: string
      /** @enum {string} */
      kind: "management" | "inference"
      name: string | null
      /** The host's own name for the user. Null where the key is the first user's. */
      user: string | null
      /** The user, as presets name their creators: `user_` and a UUID. */
      user_id: string
      /** What the key may do of what its kind may; null for all of that. */
      scopes: string[] | null
      /** How its token begins. */
      hint: string
      /** Format: date-time */
      created_at: string
      /** From when on it is refused. */
      expires_at: string | null
      /** When it was revoked. */
      revoked_at: string | null
      /** Within an hour. */
      last_used_at: string | null
      limits: components["schemas"]["Limits"]
    }
    /** What the workspace has now. */
    BalanceAnswer: {
      data: {
        /** The minutes that are left, as a decimal number with two digits. */
        balance_minutes: string
      }
    }
    Credit: {
      /** Minutes to add; a negative number takes some away. */
      minutes: number
      /**
       * A UUID of the caller's own: the same one counts once, so a caller without an answer may ask
       * again. Without it each request is a credit of its own.
       */
      credit_id?: string | null
    }
    /** The workspace. */
    WorkspaceAnswer: {
      data: components["schemas"]["Workspace"]
    }
    Workspace: {
      /** Format: uuid */
      id: string
      name: string
      /** The host's own name for it. Null once its deletion has begun, also when it had one. */
      external_id: string | null
      /**
       * The keys of a `disabled` workspace are refused, and its jobs go on. What a `deleting` one
       * has is removed in steps, then it is `deleted`.
       */
      status: "active" | "disabled" | "deleting" | "deleted"
      limits: components["schemas"]["Limits"]
      retention: components["schemas"]["Retention"]
      /** Names and terms that engines are told after those of each request. */
      keywords: string[]
      /** Format: date-time */
      created_at: string
    }
    /**
     * For how long jobs that have ended stay. A job takes its transcript along, and a transcript
     * its media; the ledger stays.
     */
    Retention: {
      /** Days after a job has ended for which its media stays; null for the server's rule. */
      media_days: number | null
      /**
       * Days after a job has ended for which its transcript, with its summary, stays; null for the
       * server's rule.
       */
      transcript_days: number | null
      /** Days after a job has ended for which the whole job stays; null for the server's rule. */
      job_days: number | null
    }
    WorkspaceChange: {
      name?: string
      /** @enum {string} */
      status?: "active" | "disabled"
      limits?: components["schemas"]["GivenLimits_1"]
      retention?: components["schemas"]["RetentionChange"]
      /** The keywords from now on, all of them; null or an empty list for none. */
      keywords?: string[] | null
    }
    RetentionChange: {
      /** Days after a job has ended for which its media stays; null for the server's rule. */
      media_days?: number | null
      /**
       * Days after a job has ended for which its transcript, with its summary, stays; null for the
       * server's rule.
       */
      transcript_days?: number | null
      /** Days after a job has ended for which the whole job stays; null for the server's rule. */
      job_days?: number | null
    }
    /** The limits to change; null takes one away, and one that is left out stays. */
    GivenLimits_1: {
      /** Requests in a second, over all processes. Null for no limit. */
      requests_per_second?: number | null
      /** Jobs that have not ended, at the same time. Null for no limit. */
      unfinished_jobs?: number | null
      /** Minutes of audio charged in a day of UTC. Null for no limit. */
      minutes_per_day?: number | null
    }
    /** The workspace with what it has left. */
    AccountAnswer: {
      data: components["schemas"]["Account"]
    }
    Account: {
      /** Format: uuid */
      id: string
      name: string
      /** The host's own name for it. Null once its deletion has begun, also when it had one. */
      external_id: string | null
      /**
       * The keys of a `disabled` workspace are refused, and its jobs go on. What a `deleting` one
       * has is removed in steps, then it is `deleted`.
       */
      status: "active" | "disabled" | "deleting" | "deleted"
      limits: components["schemas"]["Limits"]
      retention: components["schemas"]["Retention"]
      /** Names and terms that engines are told after those of each request. */
      keywords: string[]
      /** Format: date-time */
      created_at: string
      /** The minutes that are left, as a decimal number with two digits. */
      balance_minutes: string
    }
    /** The workspaces of the page. */
    AccountPage: {
      data: components["schemas"]["Account"][]
      /** The `cursor` of the next page; null on the last one. */
      next_cursor: string | null
    }
    WorkspaceOrder: {
      /** What people call it. */
      name: string
      /** The host's own name for it, which no other workspace has. */
      external_id?: string | null
      /** What it may ask for at most; no limit where it is left out. */
      limits?: components["schemas"]["GivenLimits"] | null
    }
    /**
     * The key may not do this: it takes a management key without a list of scopes; or the workspace
     * of the key is disabled.
     */
    KeyError403: {
      error: {
        /** @enum {number} */
        code: 403
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The key is missing or not known. */
    KeyError401: {
      error: {
        /** @enum {number} */
        code: 401
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The server failed. */
    KeyError500: {
      error: {
        /** @enum {number} */
        code: 500
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * Too many requests of the key are under way, or as many came in a second as it or its
     * workspace may send; `Retry-After` says in how many seconds to come again.
     */
    KeyError429: {
      error: {
        /** @enum {number} */
        code: 429
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The workspace has no such key, or is being deleted. */
    KeyError404: {
      error: {
        /** @enum {number} */
        code: 404
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The workspace has as many keys as it may. */
    KeyError409: {
      error: {
        /** @enum {number} */
        code: 409
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The request is malformed or breaks a rule; the message names each one. */
    KeyError400: {
      error: {
        /** @enum {number} */
        code: 400
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The engine or the server failed. */
    SpeechError500: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** The key lacks the scope, or its workspace is disabled. */
    SpeechError403: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** The key is missing or not known. */
    SpeechError401: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** There is no such model, or the job was deleted, or its transcript is gone. */
    SpeechError404: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    SpeechModel: {
      id: string
      /** @enum {string} */
      object: "model"
      /** Seconds since 1970; 0 where nobody counts. */
      created: number
      owned_by: string
      /** The engine that does the work now; null where this process knows of none. */
      engine: string | null
    }
    SpeechModelList: {
      /** @enum {string} */
      object: "list"
      data: components["schemas"]["SpeechModel"][]
    }
    /** The transcription is still running; the same request joins it. */
    SpeechError503: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /**
     * The balance is too low (`insufficient_quota`), or too much is under way or was asked for;
     * then `Retry-After` says in how many seconds to come again.
     */
    SpeechError429: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** The format of the file is not accepted. */
    SpeechError415: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** The file is too large. */
    SpeechError413: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** The idempotency key stands for another request, or the job was deleted meanwhile. */
    SpeechError409: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    /** A parameter is missing, malformed, unknown, or asks for what is not done here. */
    SpeechError400: {
      error: {
        /** What is wrong, in a sentence. */
        message: string
        type: string
        /** The parameter at fault. */
        param: string | null
        code: string | null
      }
    }
    SpeechJson: {
      text: string
      usage: {
        /** @enum {string} */
        type: "duration"
        seconds: number
      }
    }
    SpeechDiarizedJson: {
      /** @enum {string} */
      task: "transcribe"
      duration: number
      text: string
      segments: {
        /** @enum {string} */
        type: "transcript.text.segment"
        id: string
        start: number
        end: number
        text: string
        speaker: string
      }[]
      usage: {
        /** @enum {string} */
        type: "duration"
        seconds: number
      }
    }
    SpeechVerboseJson: {
      /** @enum {string} */
      task: "transcribe"
      language: string
      duration: number
      text: string
      segments?: {
        id: number
        seek: number
        start: number
        end: number
        text: string
        tokens: number[]
        temperature: number
        avg_logprob: number
        compression_ratio: number
        no_speech_prob: number
      }[]
      words?: {
        word: string
        start: number
        end: number
      }[]
      usage: {
        /** @enum {string} */
        type: "duration"
        seconds: number
      }
    }
    /**
     * A call as OpenAI's packages send it. A parameter that is unknown, or that cannot be honoured,
     * is a 400 that names it; an empty text is the same as leaving it out.
     */
    SpeechForm: {
      /** The recording. */
      file: Blob
      /** One of `GET /v1/models`; all mean the engines set up here. */
      model: string
      /** ISO 639-1 code of the language spoken; detected when left out. */
      language?: string
      /** Names and terms to expect; at most 4096 characters. */
      prompt?: string
      /** The form of the answer, `json` when left out. */
      response_format?: "json" | "text" | "srt" | "verbose_json" | "vtt" | "diarized_json"
      /**
       * The times that `verbose_json` has, `segment` when left out. `word` needs `verbose_json` and
       * an engine that times words; `segment` changes nothing in other forms.
       */
      "timestamp_granularities[]"?: ("word" | "segment")[]
      /** Whether the answer is server-sent events: with `json`, `text` and `diarized_json`. */
      stream?: "true" | "false"
      /**
       * Words and names to expect, as `keywords` of `POST /v1/transcribe`. As `keywords`, without
       * brackets, also one text that separates them by commas. The job says whether its engine was
       * told them.
       */
      "keywords[]"?: string[]
      /** 0 and nothing else: engines take none. */
      temperature?: string
      /** How silence is cut is up to the engine. */
      chunking_strategy?: "auto"
    } & {
      [key: string]: unknown
    }
    /** Why there is no result. */
    TranscriptionError: {
      /** What is wrong, in a sentence. */
      detail: string
    }
    /** Where the corrections stand. */
    CorrectionStanding: {
      /** The number of the last version; 0 where nothing was ever corrected. Also the `ETag`. */
      version: number
      /** The names of speakers, by the speakers as they were recognised. */
      speakers: {
        [key: string]: string
      }
      /** How many segments are corrected. */
      segment_count: number
    }
    /** The version to go back to. */
    CorrectionTarget: {
      /** The number of an earlier version; 0 for what was recognised. */
      version: number
    }
    /** A version of the corrections, with everything that it changed. */
    CorrectionVersion: {
      version: number
      /** ISO 8601 UTC with milliseconds. */
      created_at: string
      /** The user of the key that made it. */
      user_id: string
      /** The key; null where the host of the server did it. */
      key_id: string | null
      /** The earlier version that it equals, where somebody went back to one. */
      back_to: number | null
      /** The speakers that it named; null where it took the name away. */
      speakers: {
        [key: string]: string | null
      }
      /** How many segments it changed. */
      segment_count: number
      /** The segments that it changed, as it left them: null stands for what was recognised. */
      segments: {
        index: number
        text: string | null
        speaker: string | null
      }[]
    }
    /** Where the corrections stand, and the versions that led there. */
    Corrections: {
      /** The number of the last version; 0 where nothing was ever corrected. Also the `ETag`. */
      version: number
      /** The names of speakers, by the speakers as they were recognised. */
      speakers: {
        [key: string]: string
      }
      /** How many segments are corrected. */
      segment_count: number
      /** Corrected segments, in their order. */
      segments: {
        /** Where the segment stands among all, counted from 0. */
        index: number
        /** Present where the text is corrected. */
        text?: string
        /** Present where the speaker is corrected. */
        speaker?: string
      }[]
      /** The `from_segment` of the next page of segments; null on the last one. */
      next_segment: number | null
      /** Versions, the latest first. */
      versions: {
        version: number
        /** ISO 8601 UTC with milliseconds. */
        created_at: string
        /** The user of the key that made it. */
        user_id: string
        /** The key; null where the host of the server did it. */
        key_id: string | null
        /** The earlier version that it equals, where somebody went back to one. */
        back_to: number | null
        /** The speakers that it named; null where it took the name away. */
        speakers: {
          [key: string]: string | null
        }
        /** How many segments it changed. */
        segment_count: number
      }[]
      /** The `before` of the next page of versions; null on the last one. */
      next_before: number | null
    }
    /** What changes of some segments. What is left out stays as it is corrected. */
    SegmentCorrections: {
      /** Where the segment stands in the `output` of the job, counted from 0. */
      index: number
      /** What was said; empty for nothing. Null puts back what was recognised. */
      text?: string | null
      /** A speaker as recognised, or a name. Null puts back what was recognised. */
      speaker?: string | null
    }[]
    /** A name for each speaker, by the speaker as recognised. Null takes a name away. */
    SpeakerNames: {
      [key: string]: string | null
    }
    /** The status of a job; a field that does not apply is left out. */
    Job: {
      /** The id of the job: a UUID, in the order of acceptance. */
      id: string
      /**
       * As `transcription_status`, until the delivery of results has ended: then
       * `WEBHOOK_DELIVERED` or `WEBHOOK_FAILED`. An error report never changes it.
       */
      status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
        | "WEBHOOK_DELIVERED"
        | "WEBHOOK_FAILED"
      /** `TRANSCRIBED` is the last one with a callback, `COMPLETED` without one. */
      transcription_status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
      /** Present when `callback_url` was given. */
      webhook_status?: "PENDING" | "DELIVERED" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the transcript, unless the
       * transcription failed. Nothing waits for it but `notice_status`.
       */
      transcript_notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the end of the job. It comes last,
       * and nothing waits for it.
       */
      notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when `summary` was requested: `PENDING`, `IN_PROGRESS`, `COMPLETED`, `FAILED:
       * <reason>` or `SKIPPED: <reason>`.
       */
      summary_status?: string
      /** Present when `summary_status` is `COMPLETED`, as long as it is stored. */
      summary?: string
      /**
       * Present when there were `keywords` and the transcript is there: whether the engine that
       * made it was told them. False: it takes none.
       */
      keywords_used?: boolean
      /**
       * Present when `speakers` was given and the transcript is there: whether the engine that made
       * it was told the number. False: it takes none.
       */
      speakers_used?: boolean
      /** As it was sent. */
      callback_id?: string
      /** What the workspace has left: decimal minutes with two digits. */
      balance_minutes: string
      /**
       * How much of the recording is recognised. Present while the engine works and tells, a few
       * seconds late.
       */
      progress?: number
      /**
       * ISO 8601 UTC with milliseconds. Present when transcript and summary are no longer stored,
       * because the time is over for which the workspace keeps them.
       */
      results_removed_at?: string
      /** Present when the transcript is there. Times are strings of seconds. */
      output?: {
        duration: string
        language: string
        list: {
          start: string
          end: string
          speaker: string
          text: string
        }[]
      }
      /** Present when the transcription failed. */
      error?: string
    }
    /** Events and webhook requests, oldest first. */
    JobHistory: {
      id: string
      events: {
        revision: number
        /** ISO 8601 UTC with milliseconds. */
        at: string
        /** @enum {string} */
        about: "job" | "transcription" | "summary" | "webhook" | "notice"
        event: string
        /** @enum {string} */
        hook?: "transcribed" | "finished"
        /** ISO 8601 UTC with milliseconds. */
        due_at?: string
        error?: string
        duration?: string
        language?: string
        engine?: string
        keywords_used?: boolean
        speakers_used?: boolean
        warnings?: {
          /** @enum {string} */
          code: "tracks_ignored" | "audio_truncated" | "channels_cancel" | "silent"
          message: string
        }[]
        type?: string
        reason?: string
        status_code?: number
        /**
         * What the engine or the receiver said, in its own words, without secrets. Only for
         * management keys.
         */
        cause?: string
      }[]
      webhook_attempts: {
        delivery: number
        attempt: number
        /** ISO 8601 UTC with milliseconds. */
        started_at: string
        duration_ms: number | null
        status_code: number | null
        bytes?: number
        error?: string
        /**
         * What the engine or the receiver said, in its own words, without secrets. Only for
         * management keys.
         */
        cause?: string
      }[]
      /** The link of the recording, without user, password and query. Only for management keys. */
      media_url?: string
      /**
       * The address of the webhook, without user, password and query. Only for management keys.
       */
      receiver?: string
    }
    /** How loud a recording is over its time, in at most 1,000 pairs. */
    Peaks: {
      /** Seconds of the whole recording. */
      duration: number
      /** Seconds to a pair; the last one may have less. */
      interval: number
      /** The least and the greatest sample of each interval in turn, from -128 to 127. */
      peaks: number[]
    }
    /** A job with all that is known of it; a field that does not apply is left out. */
    JobDetails: {
      /** The id of the job: a UUID, in the order of acceptance. */
      id: string
      /**
       * As `transcription_status`, until the delivery of results has ended: then
       * `WEBHOOK_DELIVERED` or `WEBHOOK_FAILED`. An error report never changes it.
       */
      status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
        | "WEBHOOK_DELIVERED"
        | "WEBHOOK_FAILED"
      /** `TRANSCRIBED` is the last one with a callback, `COMPLETED` without one. */
      transcription_status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
      /** Present when `callback_url` was given. */
      webhook_status?: "PENDING" | "DELIVERED" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the transcript, unless the
       * transcription failed. Nothing waits for it but `notice_status`.
       */
      transcript_notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the end of the job. It comes last,
       * and nothing waits for it.
       */
      notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when `summary` was requested: `PENDING`, `IN_PROGRESS`, `COMPLETED`, `FAILED:
       * <reason>` or `SKIPPED: <reason>`.
       */
      summary_status?: string
      /** Present when `summary_status` is `COMPLETED`, as long as it is stored. */
      summary?: string
      /**
       * Present when there were `keywords` and the transcript is there: whether the engine that
       * made it was told them. False: it takes none.
       */
      keywords_used?: boolean
      /**
       * Present when `speakers` was given and the transcript is there: whether the engine that made
       * it was told the number. False: it takes none.
       */
      speakers_used?: boolean
      /** As it was sent. */
      callback_id?: string
      /** What the workspace has left: decimal minutes with two digits. */
      balance_minutes: string
      /**
       * How much of the recording is recognised. Present while the engine works and tells, a few
       * seconds late.
       */
      progress?: number
      /**
       * ISO 8601 UTC with milliseconds. Present when transcript and summary are no longer stored,
       * because the time is over for which the workspace keeps them.
       */
      results_removed_at?: string
      /** Present when the transcription failed. */
      error?: string
      /**
       * Format: date-time
       *
       * When it was accepted: ISO 8601 UTC with milliseconds.
       */
      created_at: string
      /** The name of the file, or the last part of the path of its URL where it has one. */
      filename?: string
      /** The length of the audio, once it is transcribed: seconds. */
      duration?: string
      /** ISO 639, once it is transcribed; `und` where nobody knows. */
      language?: string
      /** What transcribed it. */
      engine?: string
      /** How many voices are in the transcript. */
      speaker_count?: number
      /**
       * What of the recording was not heard, and why. Present once it is transcribed; empty where
       * there is nothing to say.
       */
      warnings?: {
        /** @enum {string} */
        code: "tracks_ignored" | "audio_truncated" | "channels_cancel" | "silent"
        message: string
      }[]
      /** The kind of summary that was asked for. */
      summary_requested?: "brief" | "medium" | "long"
      /** The kind of summary that was made: a shorter one than was asked for, of shorter audio. */
      summary_type?: "brief" | "medium" | "long"
      /**
       * What the engine, or the server of the recording, said when it failed, in its own words,
       * without secrets. Only for management keys.
       */
      cause?: string
      /**
       * What the model of the summary said when it failed, in its own words, without secrets. Only
       * for management keys.
       */
      summary_cause?: string
      /**
       * What the way to the receiver of the webhook said when it failed, in its own words, without
       * secrets. Only for management keys.
       */
      webhook_cause?: string
      /** The link of the recording, without user, password and query. Only for management keys. */
      media_url?: string
      /**
       * The address of the webhook, without user, password and query. Only for management keys.
       */
      receiver?: string
      /** Present when the transcript is there. Times are strings of seconds. */
      output?: {
        duration: string
        language: string
        list: {
          start: string
          end: string
          speaker: string
          text: string
        }[]
      }
    }
    /** The jobs of the page, newest first. */
    JobPage: {
      data: components["schemas"]["ListedJob"][]
      /** The `cursor` of the next page; null on the last one. */
      next_cursor: string | null
    }
    ListedJob: {
      /** The id of the job: a UUID, in the order of acceptance. */
      id: string
      /**
       * As `transcription_status`, until the delivery of results has ended: then
       * `WEBHOOK_DELIVERED` or `WEBHOOK_FAILED`. An error report never changes it.
       */
      status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
        | "WEBHOOK_DELIVERED"
        | "WEBHOOK_FAILED"
      /** `TRANSCRIBED` is the last one with a callback, `COMPLETED` without one. */
      transcription_status:
        | "ACCEPTED"
        | "IN_QUEUE"
        | "IN_PROGRESS"
        | "TRANSCRIBED"
        | "COMPLETED"
        | "FAILED"
      /** Present when `callback_url` was given. */
      webhook_status?: "PENDING" | "DELIVERED" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the transcript, unless the
       * transcription failed. Nothing waits for it but `notice_status`.
       */
      transcript_notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when the host of this server wants to be told of the end of the job. It comes last,
       * and nothing waits for it.
       */
      notice_status?: "PENDING" | "TOLD" | "FAILED"
      /**
       * Present when `summary` was requested: `PENDING`, `IN_PROGRESS`, `COMPLETED`, `FAILED:
       * <reason>` or `SKIPPED: <reason>`.
       */
      summary_status?: string
      /** Present when `summary_status` is `COMPLETED`, as long as it is stored. */
      summary?: string
      /**
       * Present when there were `keywords` and the transcript is there: whether the engine that
       * made it was told them. False: it takes none.
       */
      keywords_used?: boolean
      /**
       * Present when `speakers` was given and the transcript is there: whether the engine that made
       * it was told the number. False: it takes none.
       */
      speakers_used?: boolean
      /** As it was sent. */
      callback_id?: string
      /** What the workspace has left: decimal minutes with two digits. */
      balance_minutes: string
      /**
       * How much of the recording is recognised. Present while the engine works and tells, a few
       * seconds late.
       */
      progress?: number
      /**
       * ISO 8601 UTC with milliseconds. Present when transcript and summary are no longer stored,
       * because the time is over for which the workspace keeps them.
       */
      results_removed_at?: string
      /** Present when the transcription failed. */
      error?: string
      /**
       * Format: date-time
       *
       * When it was accepted: ISO 8601 UTC with milliseconds.
       */
      created_at: string
      /** The name of the file, or the last part of the path of its URL where it has one. */
      filename?: string
      /** The length of the audio, once it is transcribed: seconds. */
      duration?: string
      /** ISO 639, once it is transcribed; `und` where nobody knows. */
      language?: string
      /** What transcribed it. */
      engine?: string
      /** How many voices are in the transcript. */
      speaker_count?: number
      /**
       * What of the recording was not heard, and why. Present once it is transcribed; empty where
       * there is nothing to say.
       */
      warnings?: {
        /** @enum {string} */
        code: "tracks_ignored" | "audio_truncated" | "channels_cancel" | "silent"
        message: string
      }[]
      /** The kind of summary that was asked for. */
      summary_requested?: "brief" | "medium" | "long"
      /** The kind of summary that was made: a shorter one than was asked for, of shorter audio. */
      summary_type?: "brief" | "medium" | "long"
    }
    /** The text in one piece, without speakers and times. */
    PlainJson: {
      duration: string
      language: string
      list: {
        text: string
      }[]
    }
    /** Word by word; `estimated` times were not given by the engine. */
    WordJson: {
      duration: string
      language: string
      list: {
        start: string
        end: string
        speaker: string
        text: string
        /** @enum {boolean} */
        estimated?: true
      }[]
    }
    /** Paragraphs by speaker, with their sentences. */
    ParagraphJson: {
      duration: string
      language: string
      list: {
        start: string
        speaker: string
        text: string
        sentences: {
          start: string
          text: string
        }[]
      }[]
    }
    /**
     * Parameters in a form. An empty text is the same as leaving a parameter out; unknown ones are
     * ignored.
     */
    TranscriptionForm: {
      /**
       * A public http or https URL of the file. Its extension is that of its path when it is an
       * accepted one, else that of `Content-Disposition`, else that of a URL it redirects to, else
       * that of `Content-Type`.
       */
      url: string
      /** ISO 639-1 code of the language spoken; detected from the first seconds when left out. */
      language?:
        | "af"
        | "ar"
        | "az"
        | "be"
        | "bg"
        | "bs"
        | "ca"
        | "cs"
        | "cy"
        | "da"
        | "de"
        | "el"
        | "en"
        | "es"
        | "et"
        | "fa"
        | "fi"
        | "fr"
        | "gl"
        | "he"
        | "hi"
        | "hr"
        | "hu"
        | "hy"
        | "id"
        | "is"
        | "it"
        | "ja"
        | "kk"
        | "ko"
        | "lt"
        | "lv"
        | "mi"
        | "mk"
        | "ms"
        | "ne"
        | "nl"
        | "no"
        | "pl"
        | "pt"
        | "ro"
        | "ru"
        | "sk"
        | "sl"
        | "sr"
        | "sv"
        | "sw"
        | "th"
        | "tr"
        | "uk"
        | "vi"
        | "zh"
      /** Names and terms to expect, in the language spoken. */
      initial_prompt?: string
      /**
       * Names and terms to expect, the most important first; those of the workspace follow. At most
       * 100, each of 100 characters, 4096 together. The job says in `keywords_used` whether its
       * engine was told them. Separated by commas, or a list in JSON.
       */
      keywords?: string
      /**
       * How many voices there are, where somebody knows. The job says in `speakers_used` whether
       * its engine was told the number.
       */
      speakers?: string
      /**
       * Which sound tracks of the file are transcribed: `default`, the one that the file marks as
       * default, else the first; `mix`, all of them mixed; `speakers`, each track as one speaker.
       */
      tracks?: "default" | "mix" | "speakers"
      /**
       * Whether silences are removed. False is better for quiet or poor recordings.
       * @default true
       */
      vad_filter?: "true" | "false"
      /**
       * Whether the transcript is not split by speaker.
       * @default false
       */
      disable_diarization?: "true" | "false"
      /**
       * A public http or https URL that the result is posted to: the webhook `transcription.ended`.
       */
      callback_url?: string
      /**
       * Your identifier, in answers and in the webhook's `X-Callback-ID`: at most 1024 bytes of
       * UTF-8 without control characters and without spaces at its ends. Receivers decode
       * `utf8-b64:`; a value of yours that begins so is sent unchanged.
       */
      callback_id?: string
      /**
       * The form of the webhook's body; the status of the job when left out. Not used without
       * `callback_url`.
       */
      modifier?:
        | "paragraph_json"
        | "paragraph_text"
        | "plain_text"
        | "plain_json"
        | "srt"
        | "vtt"
        | "word_json"
      /**
       * The name of a set of parameters that the operator has made. Parameters of the request win.
       */
      template?: string
      /**
       * The kind of summary: `brief` from about 1 minute of audio, `medium` from 3, `long` from 10.
       * Shorter audio gets the next shorter kind, or none.
       */
      summary?: "brief" | "medium" | "long"
    } & {
      [key: string]: unknown
    }
    /**
     * Parameters in JSON. An empty text is the same as leaving a parameter out; unknown ones are
     * ignored.
     */
    TranscriptionJson: {
      /**
       * A public http or https URL of the file. Its extension is that of its path when it is an
       * accepted one, else that of `Content-Disposition`, else that of a URL it redirects to, else
       * that of `Content-Type`.
       */
      url: string
      /** ISO 639-1 code of the language spoken; detected from the first seconds when left out. */
      language?:
        | (
            | "af"
            | "ar"
            | "az"
            | "be"
            | "bg"
            | "bs"
            | "ca"
            | "cs"
            | "cy"
            | "da"
            | "de"
            | "el"
            | "en"
            | "es"
            | "et"
            | "fa"
            | "fi"
            | "fr"
            | "gl"
            | "he"
            | "hi"
            | "hr"
            | "hu"
            | "hy"
            | "id"
            | "is"
            | "it"
            | "ja"
            | "kk"
            | "ko"
            | "lt"
            | "lv"
            | "mi"
            | "mk"
            | "ms"
            | "ne"
            | "nl"
            | "no"
            | "pl"
            | "pt"
            | "ro"
            | "ru"
            | "sk"
            | "sl"
            | "sr"
            | "sv"
            | "sw"
            | "th"
            | "tr"
            | "uk"
            | "vi"
            | "zh"
          )
        | null
      /** Names and terms to expect, in the language spoken. */
      initial_prompt?: string | null
      /**
       * Names and terms to expect, the most important first; those of the workspace follow. At most
       * 100, each of 100 characters, 4096 together. The job says in `keywords_used` whether its
       * engine was told them.
       */
      keywords?: string[] | null
      /**
       * How many voices there are, where somebody knows. The job says in `speakers_used` whether
       * its engine was told the number.
       */
      speakers?: number | null
      /**
       * Which sound tracks of the file are transcribed: `default`, the one that the file marks as
       * default, else the first; `mix`, all of them mixed; `speakers`, each track as one speaker.
       */
      tracks?: ("default" | "mix" | "speakers") | null
      /**
       * Whether silences are removed. False is better for quiet or poor recordings.
       * @default true
       */
      vad_filter?: boolean | null
      /**
       * Whether the transcript is not split by speaker.
       * @default false
       */
      disable_diarization?: boolean | null
      /**
       * A public http or https URL that the result is posted to: the webhook `transcription.ended`.
       */
      callback_url?: string | null
      /**
       * Your identifier, in answers and in the webhook's `X-Callback-ID`: at most 1024 bytes of
       * UTF-8 without control characters and without spaces at its ends. Receivers decode
       * `utf8-b64:`; a value of yours that begins so is sent unchanged.
       */
      callback_id?: string | null
      /**
       * The form of the webhook's body; the status of the job when left out. Not used without
       * `callback_url`.
       */
      modifier?:
        | (
            | "paragraph_json"
            | "paragraph_text"
            | "plain_text"
            | "plain_json"
            | "srt"
            | "vtt"
            | "word_json"
          )
        | null
      /**
       * The name of a set of parameters that the operator has made. Parameters of the request win.
       */
      template?: string | null
      /**
       * The kind of summary: `brief` from about 1 minute of audio, `medium` from 3, `long` from 10.
       * Shorter audio gets the next shorter kind, or none.
       */
      summary?: ("brief" | "medium" | "long") | null
    } & {
      [key: string]: unknown
    }
    /**
     * Parameters and a file, or a `url`. An empty text is the same as leaving a parameter out;
     * unknown ones are ignored.
     */
    TranscriptionMultipart: {
      /**
       * A public http or https URL of the file. Its extension is that of its path when it is an
       * accepted one, else that of `Content-Disposition`, else that of a URL it redirects to, else
       * that of `Content-Type`.
       */
      url?: string
      /** ISO 639-1 code of the language spoken; detected from the first seconds when left out. */
      language?:
        | "af"
        | "ar"
        | "az"
        | "be"
        | "bg"
        | "bs"
        | "ca"
        | "cs"
        | "cy"
        | "da"
        | "de"
        | "el"
        | "en"
        | "es"
        | "et"
        | "fa"
        | "fi"
        | "fr"
        | "gl"
        | "he"
        | "hi"
        | "hr"
        | "hu"
        | "hy"
        | "id"
        | "is"
        | "it"
        | "ja"
        | "kk"
        | "ko"
        | "lt"
        | "lv"
        | "mi"
        | "mk"
        | "ms"
        | "ne"
        | "nl"
        | "no"
        | "pl"
        | "pt"
        | "ro"
        | "ru"
        | "sk"
        | "sl"
        | "sr"
        | "sv"
        | "sw"
        | "th"
        | "tr"
        | "uk"
        | "vi"
        | "zh"
      /** Names and terms to expect, in the language spoken. */
      initial_prompt?: string
      /**
       * Names and terms to expect, the most important first; those of the workspace follow. At most
       * 100, each of 100 characters, 4096 together. The job says in `keywords_used` whether its
       * engine was told them. Separated by commas, or a list in JSON.
       */
      keywords?: string
      /**
       * How many voices there are, where somebody knows. The job says in `speakers_used` whether
       * its engine was told the number.
       */
      speakers?: string
      /**
       * Which sound tracks of the file are transcribed: `default`, the one that the file marks as
       * default, else the first; `mix`, all of them mixed; `speakers`, each track as one speaker.
       */
      tracks?: "default" | "mix" | "speakers"
      /**
       * Whether silences are removed. False is better for quiet or poor recordings.
       * @default true
       */
      vad_filter?: "true" | "false"
      /**
       * Whether the transcript is not split by speaker.
       * @default false
       */
      disable_diarization?: "true" | "false"
      /**
       * A public http or https URL that the result is posted to: the webhook `transcription.ended`.
       */
      callback_url?: string
      /**
       * Your identifier, in answers and in the webhook's `X-Callback-ID`: at most 1024 bytes of
       * UTF-8 without control characters and without spaces at its ends. Receivers decode
       * `utf8-b64:`; a value of yours that begins so is sent unchanged.
       */
      callback_id?: string
      /**
       * The form of the webhook's body; the status of the job when left out. Not used without
       * `callback_url`.
       */
      modifier?:
        | "paragraph_json"
        | "paragraph_text"
        | "plain_text"
        | "plain_json"
        | "srt"
        | "vtt"
        | "word_json"
      /**
       * The name of a set of parameters that the operator has made. Parameters of the request win.
       */
      template?: string
      /**
       * The kind of summary: `brief` from about 1 minute of audio, `medium` from 3, `long` from 10.
       * Shorter audio gets the next shorter kind, or none.
       */
      summary?: "brief" | "medium" | "long"
      /**
       * The recording, with one of the extensions .mp3, .wav, .flac, .ogg, .oga, .aac, .m4a, .wma,
       * .mp4, .mov, .avi, .mkv, .webm, .wmv, .m4v, .flv. Best sent after the parameters: then the
       * first mistake is told, whatever it is about.
       */
      file?: Blob
    } & ({
      [key: string]: unknown
    } & (unknown | unknown))
    /** The key is missing or not known. */
    PresetError401: {
      error: {
        /** @enum {number} */
        code: 401
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * The key may not do this: it takes a management key, or a scope that the key lacks; or the
     * workspace of the key is disabled.
     */
    PresetError403: {
      error: {
        /** @enum {number} */
        code: 403
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The server failed. */
    PresetError500: {
      error: {
        /** @enum {number} */
        code: 500
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /**
     * Somebody else changed the preset at the same time, its status does not allow the change,
     * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another request,
     * a version is in use or has lost its content, or there are as many labels as may be.
     */
    PresetError409: {
      error: {
        /** @enum {number} */
        code: 409
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** There is no such preset, version or label, or the workspace of the key is gone. */
    PresetError404: {
      error: {
        /** @enum {number} */
        code: 404
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The request is malformed or breaks a rule; the message names each one. */
    PresetError400: {
      error: {
        /** @enum {number} */
        code: 400
        message: string
      }
      gateway_metadata: null
      user_id: string | null
    }
    /** The request that is meant. */
    ResolutionAnswer: {
      data: components["schemas"]["Resolution"]
    }
    Resolution: {
      /** The request that is meant, in the format of the one sent. */
      request: Record<string, unknown>
      /** @enum {string} */
      format: "responses" | "chat_completions" | "messages"
      preset: {
        slug: string
        version: number
        /** Format: uuid */
        version_id: string
        /** The label by which the version was named. */
        label?: string
      }
      provenance: {
        /** For every field of the request, whose it is. */
        fields: {
          [key: string]: "preset" | "request"
        }
        /** For every tool, in their order. */
        tools: ("preset" | "request")[]
        /** Null when there is none. */
        system_prompt: ("preset" | "request") | null
      }
      /**
       * What the preset says and the request does not, or says otherwise: its format has no words
       * for it, or its endpoint would refuse it beside the rest. Also values that no variable has,
       * and what the request says where the preset wins.
       */
      left_out: {
        field: string
        reason: string
      }[]
    }
    /**
     * Names its preset in `preset`, in `model` after `@preset/`, or as the `id` and `version` of
     * `prompt`. Values of variables stand in `variables`, or in those of `prompt`.
     */
    NamingRequest: Record<string, unknown>
    /** Its `variables`, texts by name, are the values of `{{name}}` in the system prompt. */
    AnyRequest: Record<string, unknown>
    /** What the request would become. Nothing is stored. */
    PresetPreviewAnswer: {
      data: components["schemas"]["PresetPreview"]
    }
    PresetPreview: {
      system_prompt: string | null
      /** The variables of the system prompt, such as `{{customer}}`, in their order. */
      variables: string[]
      /** The system prompt with the `variables` of the body; absent without them. */
      filled_prompt?: string
      config: components["schemas"]["PresetConfig"]
      /** Every field that was sent, in the order sent. */
      fields: {
        name: string
        /** @enum {string} */
        fate: "kept" | "system_prompt" | "ignored"
        reason: string
      }[]
      /** The number that the version would have; null when no preset is named. */
      version: number | null
      /** From the designated version; null when there is no such preset. */
      changes: components["schemas"]["PresetDiff"] | null
    }
    PresetDiff: {
      from: number
      to: number
      /** Null when both were made from a request of one format, or one is not known. */
      format: {
        /** @enum {string} */
        from: "responses" | "chat_completions" | "messages"
        /** @enum {string} */
        to: "responses" | "chat_completions" | "messages"
      } | null
      system_prompt: {
        from: string | null
        to: string | null
        /**
         * The lines that differ. Absent unless both sides are texts, one of them of several lines;
         * where more than 1000 lines differ; and after the first 50 texts of a config.
         */
        lines?: {
          from: number
          removed: string[]
          to: number
          added: string[]
        }[]
      } | null
      config: {
        path: string
        /** @enum {string} */
        kind: "added" | "removed" | "changed"
        from?: unknown
        to?: unknown
        /** Names that both sides have stand in another order. `from` and `to` are the names. */
        is_order?: true
        /**
         * The lines that differ. Absent unless both sides are texts, one of them of several lines;
         * where more than 1000 lines differ; and after the first 50 texts of a config.
         */
        lines?: {
          from: number
          removed: string[]
          to: number
          added: string[]
        }[]
      }[]
      /** The fields that win over requests. Null when both name the same. */
      wins: {
        from: string[]
        to: string[]
      } | null
    }
    PresetConfig: Record<string, unknown>
    /** The version that is meant. */
    PinAnswer: {
      data: components["schemas"]["Pin"]
    }
    Pin: {
      slug: string
      version: number
      /** Format: uuid */
      version_id: string
      /** The label by which the version was named. */
      label?: string
      /** The format of the request it was made from. */
      format: "responses" | "chat_completions" | "messages"
      /** The variables of the system prompt, such as `{{customer}}`, in their order. */
      variables: string[]
      system_prompt: string | null
      config: components["schemas"]["PresetConfig"]
      /** The fields of the config that count in place of a request's own, by name. */
      wins: string[]
    }
    /** The moves of the page. */
    LabelMovePage: {
      data: components["schemas"]["LabelMove"][]
      /** How many there are on all pages together. */
      total_count: number
    }
    LabelMove: {
      /** The number of the version before; null when there was no such label. */
      from: number | null
      /** The number of the version from then on; null when the label was removed. */
      to: number | null
      /** The user of the key. */
      moved_by: string
      /** Format: date-time */
      moved_at: string
    }
    /** Where the label points now. */
    MovedLabelAnswer: {
      data: components["schemas"]["MovedLabel"]
    }
    MovedLabel: {
      label: string
      /** The number of the version that it points to. */
      version: number
      /** Format: uuid */
      version_id: string
      /**
       * Format: date-time
       *
       * Since when it points there.
       */
      moved_at: string
    }
    LabelPoint: {
      /**
       * The number of an existing version, or what points to one: `designated`, `latest` or another
       * label.
       */
      version: number | string
    }
    /** The label. */
    LabelAnswer: {
      data: components["schemas"]["Label"]
    }
    Label: {
      label: string
      /** The number of the version that it points to. */
      version: number
      /** Format: uuid */
      version_id: string
      /**
       * Format: date-time
       *
       * Since when it points there.
       */
      moved_at: string
      /** Whether only keys with the scope `labels:<name>` move it. */
      is_protected: boolean
    }
    /** The labels, by name. */
    LabelList: {
      data: components["schemas"]["Label"][]
    }
    /** The version, without its content. */
    ErasedVersionAnswer: {
      data: components["schemas"]["FullPresetVersion"]
    }
    FullPresetVersion: {
      /** Format: uuid */
      id: string
      /** Format: uuid */
      preset_id: string
      version: number
      creator_id: string
      system_prompt: string | null
      config: components["schemas"]["PresetConfig"]
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      /** What its author says about it; absent without one. */
      comment?: string
      /**
       * Format: date-time
       *
       * When its content was erased; absent while it is there.
       */
      erased_at?: string
      /** The user who erased its content. */
      erased_by?: string
      /**
       * The format of the request it was made from. Of a version from before formats were kept it
       * is told by the fields of its config.
       */
      format: "responses" | "chat_completions" | "messages"
      /** The variables of the system prompt, such as `{{customer}}`, in their order. */
      variables: string[]
      /** The fields of the config that count in place of a request's own, by name. */
      wins: string[]
    }
    /** The differences, by path. */
    PresetDiffAnswer: {
      data: components["schemas"]["PresetDiff"]
    }
    /** The designations of the page. */
    DesignationPage: {
      data: components["schemas"]["Designation"][]
      /** How many there are on all pages together. */
      total_count: number
    }
    Designation: {
      /** The number of the version designated before; null for the first one. */
      from: number | null
      /** The number of the version designated. */
      to: number
      /** The user of the key. */
      designated_by: string
      /** Format: date-time */
      designated_at: string
    }
    /** The preset with its designated version. */
    PresetAnswer: {
      data: components["schemas"]["Preset"]
    }
    Preset: {
      /** Format: uuid */
      id: string
      slug: string
      name: string
      description: string | null
      /** @enum {string} */
      status: "active" | "disabled" | "archived"
      status_updated_at: string | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      creator_user_id: string | null
      workspace_id: string | null
      designated_version_id: string | null
      designated_version: components["schemas"]["PresetVersion"] | null
    }
    PresetVersion: {
      /** Format: uuid */
      id: string
      /** Format: uuid */
      preset_id: string
      version: number
      creator_id: string
      system_prompt: string | null
      config: components["schemas"]["PresetConfig"]
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      /** What its author says about it; absent without one. */
      comment?: string
      /**
       * Format: date-time
       *
       * When its content was erased; absent while it is there.
       */
      erased_at?: string
      /** The user who erased its content. */
      erased_by?: string
    }
    DesignatedVersion: {
      /** The number of an existing version. */
      version: number
    }
    /** The version. */
    PresetVersionAnswer: {
      data: components["schemas"]["FullPresetVersion"]
    }
    /** The versions of the page. */
    PresetVersionPage: {
      data: components["schemas"]["FullPresetVersion"][]
      /** How many there are on all pages together. */
      total_count: number
    }
    PresetChange: {
      /** @enum {string} */
      status?: "active" | "disabled" | "archived"
      name?: string
      description?: string | null
    }
    /** The presets of the page. */
    PresetPage: {
      data: components["schemas"]["ListedPreset"][]
      /** How many there are on all pages together. */
      total_count: number
    }
    ListedPreset: {
      /** Format: uuid */
      id: string
      slug: string
      name: string
      description: string | null
      /** @enum {string} */
      status: "active" | "disabled" | "archived"
      status_updated_at: string | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      creator_user_id: string | null
      workspace_id: string | null
      designated_version_id: string | null
    }
    /** The preset as it is, and the version that was staged. */
    StagedPresetAnswer: {
      data: components["schemas"]["StagedPreset"]
    }
    StagedPreset: {
      /** Format: uuid */
      id: string
      slug: string
      name: string
      description: string | null
      /** @enum {string} */
      status: "active" | "disabled" | "archived"
      status_updated_at: string | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      creator_user_id: string | null
      workspace_id: string | null
      designated_version_id: string | null
      designated_version: components["schemas"]["PresetVersion"] | null
      staged_version: components["schemas"]["PresetVersion"]
    }
    PresetParts: {
      /**
       * The version that the rest is taken of: its number, a label, `latest` or, if left out,
       * `designated`.
       */
      from?: number | string
      set?: components["schemas"]["PresetConfig_1"]
      /** Names of fields that go. */
      unset?: string[]
      /** Another system prompt; null for none. */
      system_prompt?: string | null
      /** The fields of the config that count in place of a request's own, by name. */
      wins?: string[]
      /** What the author says about the version. That of the other one does not stay. */
      comment?: string | null
      /** Whether the designated version stays. */
      stage?: boolean
    }
    /** Fields of the config, judged as a request in the format of that version. */
    PresetConfig_1: Record<string, unknown>
    MessagesRequest: {
      /** Lets the provider cache the prompt. */
      cache_control?:
        | ({
            type: string
            /** How long the provider keeps the prompt. */
            ttl?: string
          } & {
            [key: string]: unknown
          })
        | null
      /** Where code runs, and the skills that are loaded there. */
      container?: string | Record<string, unknown> | null
      /** How a conversation that grows too long is handled. */
      context_management?: components["schemas"]["ContextManagement"] | null
      /** Where the request is processed. */
      inference_geo?: string | null
      /** Most tokens of the answer. */
      max_tokens?: number | null
      /** MCP servers whose tools may be called. Their tokens are not kept. */
      mcp_servers?: components["schemas"]["McpServer"][] | null
      /** The conversation. */
      messages: components["schemas"]["Message"][]
      /** Pairs of text that travel with the request. */
      metadata?: components["schemas"]["MessagesMetadata"] | null
      /** The model that answers. */
      model?: string
      /** Models to try, in this order. */
      models?: string[]
      /** Effort and form of the answer. */
      output_config?: components["schemas"]["OutputConfig"] | null
      /** What is switched on around the request. */
      plugins?: components["schemas"]["Plugin"][]
      /** How the provider is chosen. */
      provider?: components["schemas"]["ProviderPreferences"] | null
      /**
       * @deprecated
       *
       * Deprecated: use `provider.sort.partition`; `fallback` is `model`, `sort` is `none`.
       */
      route?: ("fallback" | "sort") | null
      /** How the request is served. */
      service_tier?: string | null
      /** Groups requests; wins over the header `x-session-id`. */
      session_id?: string
      /** How fast the answer is made; `standard` when left out. */
      speed?: string | null
      /** Texts that end the answer. */
      stop_sequences?: string[] | null
      /** Any one of these ends the loop of server tools; overrides `max_tool_calls`. */
      stop_server_tools_when?: components["schemas"]["StopCondition"][]
      /**
       * Whether the answer is streamed.
       * @default false
       */
      stream?: boolean
      /** The system prompt. */
      system?: string | components["schemas"]["TextBlock"][]
      /** How freely words are chosen. */
      temperature?: number | null
      /** Whether and how long the model thinks. */
      thinking?: components["schemas"]["Thinking"] | null
      tool_choice?: components["schemas"]["MessagesToolChoice"]
      /** The tools of the request. */
      tools?: components["schemas"]["MessagesTool"][]
      /** Chooses among that many words. */
      top_k?: number | null
      /** Chooses among the words of that share. */
      top_p?: number | null
      trace?: components["schemas"]["Trace"]
      /** The end user of the request. */
      user?: string
    } & {
      [key: string]: unknown
    }
    /** How the request appears in traces; any other key is free. */
    Trace: {
      trace_id?: string
      trace_name?: string
      span_name?: string
      generation_name?: string
      parent_span_id?: string
    } & {
      [key: string]: unknown
    }
    MessagesTool: components["schemas"]["CustomTool"] | components["schemas"]["ProviderTool"]
    ProviderTool: {
      type: string
    } & {
      [key: string]: unknown
    }
    CustomTool: {
      /** May be left out. */
      type?: "custom" | null
      name: string
      /** What the tool does. */
      description?: string
      input_schema: Record<string, unknown>
    } & {
      [key: string]: unknown
    }
    /** Which tools may or must be called. */
    MessagesToolChoice:
      | ({
          /** @enum {string} */
          type: "auto"
          /** Whether at most one tool is called at a time. */
          disable_parallel_tool_use?: boolean
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "any"
          /** Whether at most one tool is called at a time. */
          disable_parallel_tool_use?: boolean
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "none"
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "tool"
          name: string
          /** Whether at most one tool is called at a time. */
          disable_parallel_tool_use?: boolean
        } & {
          [key: string]: unknown
        })
    Thinking:
      | ({
          /** @enum {string} */
          type: "enabled"
          budget_tokens: number
          /** How much of the thinking is shown. */
          display?: string | null
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "disabled"
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "adaptive"
          /** How much of the thinking is shown. */
          display?: string | null
        } & {
          [key: string]: unknown
        })
      | ({
          type: string
        } & {
          [key: string]: unknown
        })
    TextBlock: {
      /** @enum {string} */
      type: "text"
      text: string
    } & {
      [key: string]: unknown
    }
    StopCondition:
      | ({
          /** @enum {string} */
          type: "step_count_is"
          step_count: number
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "has_tool_call"
          tool_name: string
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "max_tokens_used"
          max_tokens: number
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "max_cost"
          max_cost_in_dollars: number
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "finish_reason_is"
          reason: string
        } & {
          [key: string]: unknown
        })
    ProviderPreferences: {
      /**
       * Whether other providers may step in; false keeps to the first one.
       * @default true
       */
      allow_fallbacks?: boolean | null
      /**
       * Whether providers that store what they are sent may answer.
       * @default allow
       */
      data_collection?: ("deny" | "allow") | null
      /** Only models whose output may train other models. */
      enforce_distillable_text?: boolean | null
      /** Providers to leave out, besides those of the account. */
      ignore?: string[] | null
      /** The only providers, besides those of the account. */
      only?: string[] | null
      /** Providers to try, in this order. */
      order?: string[] | null
      /** Highest prices; `prompt` and `completion` in USD per million tokens. */
      max_price?: {
        prompt?: string
        completion?: string
        request?: string
        image?: string
        audio?: string
      } & {
        [key: string]: unknown
      }
      /** Seconds, for all requests or by percentile. */
      preferred_max_latency?:
        | number
        | ({
            p50?: number | null
            p75?: number | null
            p90?: number | null
            p99?: number | null
          } & {
            [key: string]: unknown
          })
        | null
      /** Tokens per second, for all requests or by percentile. */
      preferred_min_throughput?:
        | number
        | ({
            p50?: number | null
            p75?: number | null
            p90?: number | null
            p99?: number | null
          } & {
            [key: string]: unknown
          })
        | null
      /** Accepted quantization levels, for example `int8`, `fp16`, `unknown`. */
      quantizations?: string[] | null
      /** Only providers that know every parameter of the request. */
      require_parameters?: boolean | null
      /** Used when `order` is left out; disables load balancing. */
      sort?:
        | ("price" | "throughput" | "latency" | "exacto")
        | ({
            by?: ("price" | "throughput" | "latency" | "exacto") | null
            partition?: ("model" | "none") | null
          } & {
            [key: string]: unknown
          })
        | null
      /** Only endpoints that retain nothing. */
      zdr?: boolean | null
    }
    Plugin:
      | components["schemas"]["AutoRouterPlugin"]
      | components["schemas"]["AutoBetaRouterPlugin"]
      | components["schemas"]["ContextCompressionPlugin"]
      | components["schemas"]["FileParserPlugin"]
      | components["schemas"]["FusionPlugin"]
      | components["schemas"]["ModerationPlugin"]
      | components["schemas"]["ParetoRouterPlugin"]
      | components["schemas"]["ResponseHealingPlugin"]
      | components["schemas"]["WebPlugin"]
      | components["schemas"]["WebFetchPlugin"]
    WebFetchPlugin: {
      /** @enum {string} */
      id: "web-fetch"
      /** The only domains that are fetched. */
      allowed_domains?: string[]
      /** Domains that are never fetched. */
      blocked_domains?: string[]
      /** Longer pages are cut. */
      max_content_tokens?: number
      /** Further fetches answer with an error. */
      max_uses?: number
    } & {
      [key: string]: unknown
    }
    WebPlugin: {
      /** @enum {string} */
      id: "web"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** For example `native`, `exa`, `firecrawl`. */
      engine?: string
      /** For example `auto`, `fast`, `deep`. */
      mode?: string
      /** Most results of one search. */
      max_results?: number
      /** Most searches of one request. */
      max_uses?: number
      /** The text that introduces the results. */
      search_prompt?: string
      /** Domains to search; wildcards and paths are allowed. */
      include_domains?: string[]
      /** Domains to leave out; wildcards and paths are allowed. */
      exclude_domains?: string[]
      /** Where the user roughly is. */
      user_location?:
        | ({
            /** @enum {string} */
            type: "approximate"
            city?: string | null
            country?: string | null
            region?: string | null
            timezone?: string | null
          } & {
            [key: string]: unknown
          })
        | null
    } & {
      [key: string]: unknown
    }
    ResponseHealingPlugin: {
      /** @enum {string} */
      id: "response-healing"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
    } & {
      [key: string]: unknown
    }
    ParetoRouterPlugin: {
      /** @enum {string} */
      id: "pareto-router"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** USD per million input tokens; when set, `min_coding_score` is not used. */
      max_price?: number
      /** From 0.66 the high tier, from 0.33 the medium one; the highest tier when left out. */
      min_coding_score?: number
      /**
       * The price that is compared.
       * @default prompt
       */
      price_source?: "prompt" | "weighted_avg"
    } & {
      [key: string]: unknown
    }
    ModerationPlugin: {
      /** @enum {string} */
      id: "moderation"
    } & {
      [key: string]: unknown
    }
    FusionPlugin: {
      /** @enum {string} */
      id: "fusion"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** The panel of models asked in parallel. */
      analysis_models?: string[]
      /** The model that analyses and writes the answer. */
      model?: string
      /** A choice of models; `analysis_models` and `model` take precedence. */
      preset?: "general-high" | "general-budget" | "general-fast"
      /**
       * Most tool calls of each model.
       * @default 4
       */
      max_tool_calls?: number
      /** Server tools of the panel; web search and web fetch when left out, none when empty. */
      tools?: ({
        type: string
        /** Parameters of the tool. */
        parameters?: Record<string, unknown>
      } & {
        [key: string]: unknown
      })[]
    } & {
      [key: string]: unknown
    }
    FileParserPlugin: {
      /** @enum {string} */
      id: "file-parser"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** How PDF files are read. */
      pdf?: {
        /** For example `mistral-ocr`, `native`, `pdf-text`. */
        engine?: string
      } & {
        [key: string]: unknown
      }
    } & {
      [key: string]: unknown
    }
    ContextCompressionPlugin: {
      /** @enum {string} */
      id: "context-compression"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** For example `middle-out`. */
      engine?: string
    } & {
      [key: string]: unknown
    }
    AutoBetaRouterPlugin: {
      /** @enum {string} */
      id: "auto-beta-router"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** Models to choose from; patterns may hold wildcards. */
      allowed_models?: string[]
      /** Models never chosen; applied last, and always wins. */
      excluded_models?: string[]
      /** The fifth of the price range to choose from. */
      cost_tier?: "low" | "medium" | "high" | "xhigh" | "max"
      /**
       * @deprecated
       *
       * Deprecated: use `cost_tier`, which wins when both are given; 9 when neither is.
       * @default 9
       */
      cost_quality_tradeoff?: number
    } & {
      [key: string]: unknown
    }
    AutoRouterPlugin: {
      /** @enum {string} */
      id: "auto-router"
      /**
       * Whether the plugin is on.
       * @default true
       */
      enabled?: boolean
      /** Models to choose from; patterns may hold wildcards. */
      allowed_models?: string[]
      /** Models never chosen; applied last, and always wins. */
      excluded_models?: string[]
      /** The fifth of the price range to choose from. */
      cost_tier?: "low" | "medium" | "high" | "xhigh" | "max"
      /**
       * @deprecated
       *
       * Deprecated: use `cost_tier`, which wins when both are given; 9 when neither is.
       * @default 9
       */
      cost_quality_tradeoff?: number
      /**
       * Keeps the model of the latest assistant message.
       * @default false
       */
      pin_model?: boolean
    } & {
      [key: string]: unknown
    }
    OutputConfig: {
      /** How much work goes into the answer. */
      effort?: string | null
      /** The form of the answer. */
      format?:
        | ({
            type: string
          } & {
            [key: string]: unknown
          })
        | null
    } & {
      [key: string]: unknown
    }
    MessagesMetadata: {
      [key: string]: string | null
    }
    Message:
      | ({
          /** @enum {string} */
          role: "system"
          /** Text, or blocks of text. */
          content: string | components["schemas"]["TextBlock"][]
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          role: "developer"
          /** Text, or blocks of text. */
          content: string | components["schemas"]["TextBlock"][]
        } & {
          [key: string]: unknown
        })
      | ({
          /** Who speaks, for example `user` or `assistant`. */
          role: string
          /** Text, or blocks. */
          content?: string | Record<string, unknown>[] | null
        } & {
          [key: string]: unknown
        })
    McpServer: {
      name: string
      /** Where the server is reached. */
      url?: string
      /** A secret: it belongs into each request. */
      authorization_token?: string | null
    } & {
      [key: string]: unknown
    }
    ContextManagement: {
      /** What is cleared or condensed when the conversation grows. */
      edits?: ({
        type: string
      } & {
        [key: string]: unknown
      })[]
    } & {
      [key: string]: unknown
    }
    ChatCompletionsRequest: {
      /** The voice and the format of spoken answers. */
      audio?: Record<string, unknown> | null
      /** Lets the provider cache the prompt. */
      cache_control?:
        | ({
            type: string
            /** How long the provider keeps the prompt. */
            ttl?: string
          } & {
            [key: string]: unknown
          })
        | null
      /** Diagnostics while streaming. */
      debug?: {
        echo_upstream_body?: boolean
      } & {
        [key: string]: unknown
      }
      /** Makes frequent words less likely. */
      frequency_penalty?: number | null
      /** Which function may or must be called, under its older name. */
      function_call?: string | Record<string, unknown>
      /** Functions, under their older name. */
      functions?: Record<string, unknown>[]
      /** Settings of generated images; the keys depend on the model. */
      image_config?: {
        [key: string]: string | number | unknown[]
      }
      /** Makes single tokens more or less likely, by their id. */
      logit_bias?: {
        [key: string]: number
      } | null
      /** Whether the probability of each token is shown. */
      logprobs?: boolean | null
      /** Most tokens of the answer. */
      max_completion_tokens?: number | null
      /** Most tokens of the answer, under its older name. */
      max_tokens?: number | null
      /** The conversation. */
      messages: components["schemas"]["Message"][]
      /** Pairs of text that travel with the request. */
      metadata?: components["schemas"]["Metadata"] | null
      /** Leaves out words less likely than that share of the likeliest. */
      min_p?: number | null
      /** What the answer may consist of. */
      modalities?: ("text" | "image" | "audio")[] | null
      /** The model that answers. */
      model?: string
      /** Models to try, in this order. */
      models?: string[]
      /** Whether tools may be called side by side. */
      parallel_tool_calls?: boolean | null
      /** What is switched on around the request. */
      plugins?: components["schemas"]["Plugin"][]
      /** Text that the answer will mostly repeat. */
      prediction?: components["schemas"]["Prediction"] | null
      /** Makes words already used less likely. */
      presence_penalty?: number | null
      /** Groups requests that share a cached prompt. */
      prompt_cache_key?: string | null
      /** How prompts are cached. */
      prompt_cache_options?:
        | ({
            /** What is cached, for example `implicit` or `explicit`. */
            mode?: string
            /** How long the provider keeps the prompt. */
            ttl?: string | null
          } & {
            [key: string]: unknown
          })
        | null
      /** How long cached prompts are retained. */
      prompt_cache_retention?: string | null
      /** How the provider is chosen. */
      provider?: components["schemas"]["ProviderPreferences"] | null
      /** How much the model thinks. */
      reasoning?: components["schemas"]["Reasoning"] | null
      /** How much the model reasons. */
      reasoning_effort?: ("max" | "xhigh" | "high" | "medium" | "low" | "minimal" | "none") | null
      /** Makes words already used less likely. */
      repetition_penalty?: number | null
      response_format?: components["schemas"]["ResponseFormat"]
      /**
       * @deprecated
       *
       * Deprecated: use `provider.sort.partition`; `fallback` is `model`, `sort` is `none`.
       */
      route?: ("fallback" | "sort") | null
      /** Makes equal requests answer alike, as far as the model can. */
      seed?: number | null
      /** How the request is served. */
      service_tier?: string | null
      /** Groups requests; wins over the header `x-session-id`. */
      session_id?: string
      /** Text that ends the answer. */
      stop?: string | string[] | null
      /** Any one of these ends the loop of server tools; overrides `max_tool_calls`. */
      stop_server_tools_when?: components["schemas"]["StopCondition"][]
      /** Whether the answer is streamed. */
      stream?: boolean | null
      /** What the stream holds besides. */
      stream_options?:
        | ({
            include_usage?: boolean
          } & {
            [key: string]: unknown
          })
        | null
      /** How freely words are chosen. */
      temperature?: number | null
      tool_choice?: components["schemas"]["ChatToolChoice"]
      /** The tools of the request. */
      tools?: components["schemas"]["ChatTool"][]
      /** Leaves out words far less likely than the likeliest. */
      top_a?: number | null
      /** Chooses among that many words. */
      top_k?: number | null
      /** How many alternatives of each word are shown. */
      top_logprobs?: number | null
      /** Chooses among the words of that share. */
      top_p?: number | null
      trace?: components["schemas"]["Trace"]
      /** The end user of the request. */
      user?: string
      /** How wordy the answer is. */
      verbosity?: string | null
      /** How the web is searched for the answer. */
      web_search_options?: Record<string, unknown>
    } & {
      [key: string]: unknown
    }
    ChatTool: components["schemas"]["ChatFunctionTool"] | components["schemas"]["ServerTool"]
    ServerTool: {
      type: string
    } & {
      [key: string]: unknown
    }
    ChatFunctionTool: {
      /** @enum {string} */
      type: "function"
      function: {
        name: string
        /** What the function does. */
        description?: string | null
        /** A JSON Schema of the arguments. */
        parameters?: Record<string, unknown> | null
        /** Whether arguments must match the schema. */
        strict?: boolean | null
      } & {
        [key: string]: unknown
      }
      /**
       * Withholds the tool until a tool search finds it; needs such a tool, and one not deferred.
       */
      defer_loading?: boolean
    } & {
      [key: string]: unknown
    }
    /** Which tools may or must be called. */
    ChatToolChoice:
      | ("auto" | "none" | "required")
      | ({
          /** @enum {string} */
          type: "function"
          function: {
            name: string
          } & {
            [key: string]: unknown
          }
        } & {
          [key: string]: unknown
        })
      | components["schemas"]["ServerTool"]
    /** The form of the answer. */
    ResponseFormat:
      | ({
          /** @enum {string} */
          type: "json_schema"
          json_schema: {
            name: string
            /** What the answer is for. */
            description?: string
            /** A JSON Schema of the answer. */
            schema?: Record<string, unknown>
            /** Whether the answer must match the schema. */
            strict?: boolean | null
          } & {
            [key: string]: unknown
          }
        } & {
          [key: string]: unknown
        })
      | ({
          type: string
        } & {
          [key: string]: unknown
        })
    Reasoning: {
      /** Whether the model reasons. */
      enabled?: boolean | null
      /** Most tokens of reasoning. */
      max_tokens?: number | null
      /** How much the model reasons. */
      effort?: ("max" | "xhigh" | "high" | "medium" | "low" | "minimal" | "none") | null
      /** How the reasoning is summed up. */
      summary?: ("auto" | "concise" | "detailed") | null
      /** Which reasoning of earlier turns the model sees. */
      context?: ("auto" | "all_turns" | "current_turn") | null
      /** The kind of reasoning. */
      mode?: ("standard" | "pro") | null
    } & {
      [key: string]: unknown
    }
    Prediction: {
      /** @enum {string} */
      type: "content"
      content: string | Record<string, unknown>[]
    } & {
      [key: string]: unknown
    }
    Metadata: {
      [key: string]: string
    }
    ResponsesRequest: {
      /** Whether the request runs in the background. */
      background?: boolean | null
      cache_control?: components["schemas"]["CacheControl"]
      /** How a conversation that grows too long is handled. */
      context_management?: Record<string, unknown>[] | null
      /** Diagnostics while streaming. */
      debug?: {
        echo_upstream_body?: boolean
      } & {
        [key: string]: unknown
      }
      /** Makes frequent words less likely. */
      frequency_penalty?: number | null
      /** Settings of generated images; the keys depend on the model. */
      image_config?: {
        [key: string]: string | number | unknown[]
      }
      /** What the answer holds besides. */
      include?:
        | (
            | "file_search_call.results"
            | "message.input_image.image_url"
            | "computer_call_output.output.image_url"
            | "reasoning.encrypted_content"
            | "code_interpreter_call.outputs"
          )[]
        | null
      /** The conversation: text or items. */
      input?: string | Record<string, unknown>[]
      /** The system prompt. */
      instructions?: string | null
      /** Most tokens of the answer. */
      max_output_tokens?: number | null
      /**
       * Most server-tool steps; not used with `stop_server_tools_when`.
       * @default 30
       */
      max_tool_calls?: number | null
      /** Pairs of text that travel with the request. */
      metadata?: components["schemas"]["Metadata"] | null
      /** What the answer may consist of. */
      modalities?: ("text" | "image")[]
      /** The model that answers. */
      model?: string
      /** Models to try, in this order. */
      models?: string[]
      /** Whether tools may be called side by side. */
      parallel_tool_calls?: boolean | null
      /** What is switched on around the request. */
      plugins?: components["schemas"]["Plugin"][]
      /** Makes words already used less likely. */
      presence_penalty?: number | null
      /** Not supported: responses are not stored. */
      previous_response_id?: null
      /** A stored prompt of the provider. */
      prompt?: components["schemas"]["Prompt"] | null
      /** Groups requests that share a cached prompt. */
      prompt_cache_key?: string | null
      /** How prompts are cached. */
      prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null
      /** How long cached prompts are retained. */
      prompt_cache_retention?: string | null
      /** How the provider is chosen. */
      provider?: components["schemas"]["ProviderPreferences"] | null
      /** How much the model thinks. */
      reasoning?: components["schemas"]["Reasoning"] | null
      /**
       * @deprecated
       *
       * Deprecated: use `provider.sort.partition`; `fallback` is `model`, `sort` is `none`.
       */
      route?: ("fallback" | "sort") | null
      /** Tells end users apart when abuse is isolated. */
      safety_identifier?: string | null
      /**
       * How the request is served; `fast` is `priority`.
       * @default auto
       */
      service_tier?: ("auto" | "default" | "fast" | "flex" | "priority" | "scale") | null
      /** Groups requests; wins over the header `x-session-id`. */
      session_id?: string
      /** Any one of these ends the loop of server tools; overrides `max_tool_calls`. */
      stop_server_tools_when?: components["schemas"]["StopCondition"][]
      /**
       * Responses are never stored.
       * @default false
       */
      store?: false
      /**
       * Whether the answer is streamed.
       * @default false
       */
      stream?: boolean
      /** How freely words are chosen. */
      temperature?: number | null
      text?: components["schemas"]["TextOutput"]
      tool_choice?: components["schemas"]["ToolChoice"]
      /** The tools of the request. */
      tools?: components["schemas"]["Tool"][]
      /** Chooses among that many words. */
      top_k?: number
      /** How many alternatives of each word are shown. */
      top_logprobs?: number | null
      /** Chooses among the words of that share. */
      top_p?: number | null
      trace?: components["schemas"]["Trace"]
      /** Whether a conversation that is too long is cut. */
      truncation?: ("auto" | "disabled") | null
      /** The end user of the request. */
      user?: string
    } & {
      [key: string]: unknown
    }
    Tool: components["schemas"]["FunctionTool"] | components["schemas"]["ServerTool"]
    FunctionTool: {
      /** @enum {string} */
      type: "function"
      name: string
      /** What the function does. */
      description?: string | null
      /** A JSON Schema of the arguments. */
      parameters?: Record<string, unknown> | null
      /** Whether arguments must match the schema. */
      strict?: boolean | null
      /** Whether the result may come later. */
      async?: boolean
      /**
       * Withholds the tool until a tool search finds it; needs such a tool, and one not deferred.
       */
      defer_loading?: boolean
    } & {
      [key: string]: unknown
    }
    /** Which tools may or must be called. */
    ToolChoice:
      | ("auto" | "none" | "required")
      | ({
          /** @enum {string} */
          type: "function"
          name: string
        } & {
          [key: string]: unknown
        })
      | ({
          /** @enum {string} */
          type: "allowed_tools"
          /** @enum {string} */
          mode: "auto" | "required"
          tools: Record<string, unknown>[]
        } & {
          [key: string]: unknown
        })
      | ({
          type: string
        } & {
          [key: string]: unknown
        })
    /** The form of the answer. */
    TextOutput: {
      /** The form of the answer. */
      format?:
        | ({
            /** @enum {string} */
            type: "text"
          } & {
            [key: string]: unknown
          })
        | ({
            /** @enum {string} */
            type: "json_object"
          } & {
            [key: string]: unknown
          })
        | ({
            /** @enum {string} */
            type: "json_schema"
            name: string
            schema: Record<string, unknown>
            /** What the answer is for. */
            description?: string
            /** Whether the answer must match the schema. */
            strict?: boolean | null
          } & {
            [key: string]: unknown
          })
      /** How long the answer is. */
      verbosity?: ("low" | "medium" | "high" | "xhigh" | "max") | null
    } & {
      [key: string]: unknown
    }
    PromptCacheOptions: {
      /** Caches only blocks marked with `prompt_cache_breakpoint`. */
      mode: "explicit"
      /** How long the provider keeps the prompt. */
      ttl?: string | null
    } & {
      [key: string]: unknown
    }
    Prompt: {
      id: string
      /** Values by the name of the variable. */
      variables?: {
        [key: string]:
          | string
          | ({
              /** @enum {string} */
              type: "input_text"
              text: string
            } & {
              [key: string]: unknown
            })
          | ({
              /** @enum {string} */
              type: "input_image"
              image_url?: string | null
              file_id?: string | null
              detail?: string | null
            } & {
              [key: string]: unknown
            })
          | ({
              /** @enum {string} */
              type: "input_file"
              file_id?: string | null
              file_url?: string | null
              file_data?: string | null
              filename?: string | null
            } & {
              [key: string]: unknown
            })
      } | null
    } & {
      [key: string]: unknown
    }
    /** Lets the provider cache the prompt. */
    CacheControl: {
      /** @enum {string} */
      type: "ephemeral"
      /** How long the provider keeps the prompt. */
      ttl?: "5m" | "1h"
    } & {
      [key: string]: unknown
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface operations {
  "presets.createFromResponses": {
    parameters: {
      query?: {
        /** With `true`, nothing is stored. */
        dry_run?: "true" | "false"
        /**
         * With `true`, the version is stored and the designated one stays, unless the preset is
         * new. It counts before `Prefer`.
         */
        stage?: "true" | "false"
        /** What the author says about the version, which shows it. */
        comment?: string
        /**
         * Fields of the version that count in place of a request's own, separated by commas: for
         * clients that always send them.
         */
        wins?: string
      }
      header?: {
        /**
         * 1 to 255 visible ASCII characters. The same key with the same request, within 24 hours,
         * is answered with the version that the first one made; with another one, with 409. The
         * name of the preset belongs to the request, and so does the whole body, also what is not
         * kept of it.
         */
        "idempotency-key"?: string
        /** Not kept; held to its limit when the body has no `session_id`. */
        "x-session-id"?: string
        /**
         * With `handling=stage` (RFC 7240), the same as `stage=true`. Other preferences are passed
         * over.
         */
        prefer?: string
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResponsesRequest"]
      }
    }
    responses: {
      /**
       * The preset with its designated version. | The preset as it is, and the version that was
       * staged. | What the request would become. Nothing is stored.
       */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          /** When the version was staged because the header `Prefer` asked for it. */
          "Preference-Applied"?: "handling=stage"
          [name: string]: unknown
        }
        content: {
          "application/json":
            | components["schemas"]["PresetAnswer"]
            | components["schemas"]["StagedPresetAnswer"]
            | components["schemas"]["PresetPreviewAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.createFromChatCompletions": {
    parameters: {
      query?: {
        /** With `true`, nothing is stored. */
        dry_run?: "true" | "false"
        /**
         * With `true`, the version is stored and the designated one stays, unless the preset is
         * new. It counts before `Prefer`.
         */
        stage?: "true" | "false"
        /** What the author says about the version, which shows it. */
        comment?: string
        /**
         * Fields of the version that count in place of a request's own, separated by commas: for
         * clients that always send them.
         */
        wins?: string
      }
      header?: {
        /**
         * 1 to 255 visible ASCII characters. The same key with the same request, within 24 hours,
         * is answered with the version that the first one made; with another one, with 409. The
         * name of the preset belongs to the request, and so does the whole body, also what is not
         * kept of it.
         */
        "idempotency-key"?: string
        /** Not kept; held to its limit when the body has no `session_id`. */
        "x-session-id"?: string
        /**
         * With `handling=stage` (RFC 7240), the same as `stage=true`. Other preferences are passed
         * over.
         */
        prefer?: string
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChatCompletionsRequest"]
      }
    }
    responses: {
      /**
       * The preset with its designated version. | The preset as it is, and the version that was
       * staged. | What the request would become. Nothing is stored.
       */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          /** When the version was staged because the header `Prefer` asked for it. */
          "Preference-Applied"?: "handling=stage"
          [name: string]: unknown
        }
        content: {
          "application/json":
            | components["schemas"]["PresetAnswer"]
            | components["schemas"]["StagedPresetAnswer"]
            | components["schemas"]["PresetPreviewAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.createFromMessages": {
    parameters: {
      query?: {
        /** With `true`, nothing is stored. */
        dry_run?: "true" | "false"
        /**
         * With `true`, the version is stored and the designated one stays, unless the preset is
         * new. It counts before `Prefer`.
         */
        stage?: "true" | "false"
        /** What the author says about the version, which shows it. */
        comment?: string
        /**
         * Fields of the version that count in place of a request's own, separated by commas: for
         * clients that always send them.
         */
        wins?: string
      }
      header?: {
        /**
         * 1 to 255 visible ASCII characters. The same key with the same request, within 24 hours,
         * is answered with the version that the first one made; with another one, with 409. The
         * name of the preset belongs to the request, and so does the whole body, also what is not
         * kept of it.
         */
        "idempotency-key"?: string
        /** Not kept; held to its limit when the body has no `session_id`. */
        "x-session-id"?: string
        /**
         * With `handling=stage` (RFC 7240), the same as `stage=true`. Other preferences are passed
         * over.
         */
        prefer?: string
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["MessagesRequest"]
      }
    }
    responses: {
      /**
       * The preset with its designated version. | The preset as it is, and the version that was
       * staged. | What the request would become. Nothing is stored.
       */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          /** When the version was staged because the header `Prefer` asked for it. */
          "Preference-Applied"?: "handling=stage"
          [name: string]: unknown
        }
        content: {
          "application/json":
            | components["schemas"]["PresetAnswer"]
            | components["schemas"]["StagedPresetAnswer"]
            | components["schemas"]["PresetPreviewAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.versions": {
    parameters: {
      query?: {
        /** How many entries are passed over. */
        offset?: number
        /** Most entries in the answer. */
        limit?: number
      }
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The versions of the page. */
      200: {
        content: {
          "application/json": components["schemas"]["PresetVersionPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.createFromVersion": {
    parameters: {
      query?: never
      header?: {
        /**
         * 1 to 255 visible ASCII characters. The same key with the same request, within 24 hours,
         * is answered with the version that the first one made; with another one, with 409. The
         * name of the preset belongs to the request, and so does the whole body, also what is not
         * kept of it.
         */
        "idempotency-key"?: string
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["PresetParts"]
      }
    }
    responses: {
      /**
       * The preset with its designated version. | The preset as it is, and the version that was
       * staged.
       */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          /** When the version was staged because the header `Prefer` asked for it. */
          "Preference-Applied"?: "handling=stage"
          [name: string]: unknown
        }
        content: {
          "application/json":
            | components["schemas"]["PresetAnswer"]
            | components["schemas"]["StagedPresetAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.list": {
    parameters: {
      query?: {
        /** How many entries are passed over. */
        offset?: number
        /** Most entries in the answer. */
        limit?: number
        /** Only presets that have this label are listed and counted. */
        label?: string
        /**
         * Only presets with this text in their slug, name or description are listed and counted;
         * ASCII letters may be of either case.
         */
        text?: string
        /** Only presets of this status are listed and counted. */
        status?: "active" | "disabled" | "archived"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The presets of the page. */
      200: {
        content: {
          "application/json": components["schemas"]["PresetPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The preset with its designated version. */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.remove": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The preset is removed. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.revise": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["PresetChange"]
      }
    }
    responses: {
      /** The preset with its designated version. */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.version": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /** The number of the version, from 1. */
        version: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The version. */
      200: {
        content: {
          "application/json": components["schemas"]["PresetVersionAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.designate": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["DesignatedVersion"]
      }
    }
    responses: {
      /** The preset with its designated version. */
      200: {
        headers: {
          /** The id of the designated version in double quotes, for `If-Match`. */
          ETag: string
          /**
           * Of a creation: the paths of the body that the version does not have, separated by
           * commas; 1 kB at most, then an ellipsis, encoded as the rest. Left out where everything
           * was kept.
           */
          "X-Verbatim-Not-Kept"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.designations": {
    parameters: {
      query?: {
        /** How many entries are passed over. */
        offset?: number
        /** Most entries in the answer. */
        limit?: number
      }
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The designations of the page. */
      200: {
        content: {
          "application/json": components["schemas"]["DesignationPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.diff": {
    parameters: {
      query: {
        /** The version to compare with: its number, a label, `designated` or `latest`. */
        from: number | string
        /** The version that is compared: its number, a label, `designated` or `latest`. */
        to: number | string
        /** The preset that `to` is of; the same one when it is left out. */
        slug?: string
      }
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The differences, by path. */
      200: {
        content: {
          "application/json": components["schemas"]["PresetDiffAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "presets.erase": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one preset carry them in `ETag`: the write is made only while
         * one of them is the current one; with `*`, only when the preset exists.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such preset; with entity tags, only
         * while none of them is the current one.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /** The number of the version, from 1. */
        version: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The version, without its content. */
      200: {
        content: {
          "application/json": components["schemas"]["ErasedVersionAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The labels, by name. */
      200: {
        content: {
          "application/json": components["schemas"]["LabelList"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label. */
      200: {
        headers: {
          /** The id of the version that the label points to, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["LabelAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.move": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one label carry them in `ETag`: the write is made only while
         * the label points to one of these versions; with `*`, only when there is such a label.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such label; with entity tags, only
         * while it points to none of these versions.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["LabelPoint"]
      }
    }
    responses: {
      /** Where the label points now. */
      200: {
        headers: {
          /** The id of the version that the label points to, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["MovedLabelAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.remove": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers with one label carry them in `ETag`: the write is made only while
         * the label points to one of these versions; with `*`, only when there is such a label.
         */
        "if-match"?: string
        /**
         * With `*`, the write is made only when there is no such label; with entity tags, only
         * while it points to none of these versions.
         */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label is removed. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.moves": {
    parameters: {
      query?: {
        /** How many entries are passed over. */
        offset?: number
        /** Most entries in the answer. */
        limit?: number
      }
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The moves of the page. */
      200: {
        content: {
          "application/json": components["schemas"]["LabelMovePage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.listProtected": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The protected labels, by name. */
      200: {
        content: {
          "application/json": components["schemas"]["ProtectedLabelList"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.protect": {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label is protected. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "labels.unprotect": {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label is not protected. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "resolutions.pin": {
    parameters: {
      query?: {
        /** The number of a version. */
        version?: number
        /** The name of a label, or `designated` or `latest`. */
        label?: string
        /** Asks for the version that was designated, or labelled, at that instant. */
        at?: string
      }
      header?: {
        /** Entity tags of what the caller has: one that is current is a 304. */
        "if-none-match"?: string
      }
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The version that is meant. */
      200: {
        headers: {
          /** The id of the version in double quotes, for `If-None-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PinAnswer"]
        }
      }
      /** The version is the one that was named. */
      304: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "resolutions.preview": {
    parameters: {
      query?: {
        /** The format of the request; told by its fields when it is left out. */
        format?: "responses" | "chat_completions" | "messages"
        /** The preset that it would become part of. */
        slug?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["AnyRequest"]
      }
    }
    responses: {
      /** What the request would become. Nothing is stored. */
      200: {
        content: {
          "application/json": components["schemas"]["PresetPreviewAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "resolutions.resolve": {
    parameters: {
      query?: {
        /** The number of a version. */
        version?: number
        /** The name of a label, or `designated` or `latest`. */
        label?: string
        /** Asks for the version that was designated, or labelled, at that instant. */
        at?: string
        /** The format of the request; told by its fields when it is left out. */
        format?: "responses" | "chat_completions" | "messages"
      }
      header?: never
      path: {
        /** The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive. */
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["AnyRequest"]
      }
    }
    responses: {
      /** The request that is meant. */
      200: {
        content: {
          "application/json": components["schemas"]["ResolutionAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "resolutions.resolveNamed": {
    parameters: {
      query?: {
        /** Asks for the version that was designated, or labelled, at that instant. */
        at?: string
        /** The format of the request; told by its fields when it is left out. */
        format?: "responses" | "chat_completions" | "messages"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NamingRequest"]
      }
    }
    responses: {
      /** The request that is meant. */
      200: {
        content: {
          "application/json": components["schemas"]["ResolutionAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["PresetError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key, or a scope that the key lacks; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["PresetError403"]
        }
      }
      /** There is no such preset, version or label, or the workspace of the key is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["PresetError404"]
        }
      }
      /**
       * Somebody else changed the preset at the same time, its status does not allow the change,
       * `If-Match` or `If-None-Match` does not hold, the idempotency key stands for another
       * request, a version is in use or has lost its content, or there are as many labels as may
       * be.
       */
      409: {
        content: {
          "application/json": components["schemas"]["PresetError409"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PresetError500"]
        }
      }
    }
  }
  "transcription.create": {
    parameters: {
      query?: never
      header?: {
        /**
         * 1 to 255 visible ASCII characters. The same key with the same request, within 24 hours,
         * is answered with the same job; with another one, with 409.
         */
        "idempotency-key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["TranscriptionMultipart"]
        "application/json": components["schemas"]["TranscriptionJson"]
        "application/x-www-form-urlencoded": components["schemas"]["TranscriptionForm"]
      }
    }
    responses: {
      /** The job. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed or not known, or lacks the scope, its workspace is disabled,
       * or the balance is too low.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The idempotency key stands for another request, or for a job that was deleted. */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The file is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The extension of the file is not accepted. */
      415: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * Too many requests of the key are under way, or checks of URLs of its workspace; or
       * workspace or key have as many requests in a second, unfinished jobs, or minutes of today as
       * they may. `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "transcription.status": {
    parameters: {
      query?: {
        /**
         * How many seconds the answer may wait for the status to change. A finished job is answered
         * at once.
         */
        wait?: number
      }
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The job. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** As many wait or listen as may. `Retry-After` says in how many seconds to come again. */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** As many wait or listen at this process as may: another one may have room. */
      503: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "transcription.result": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
        /** The form of the transcript. */
        modifier:
          | "paragraph_json"
          | "paragraph_text"
          | "plain_text"
          | "plain_json"
          | "srt"
          | "vtt"
          | "word_json"
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The transcript in that form, or the status of a job under way. */
      200: {
        content: {
          "application/json":
            | components["schemas"]["Job"]
            | components["schemas"]["ParagraphJson"]
            | components["schemas"]["WordJson"]
            | components["schemas"]["PlainJson"]
          "text/plain; charset=utf-8": string
          "application/x-subrip; charset=utf-8": string
          "text/vtt; charset=utf-8": string
        }
      }
      /** There is no such form. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The time is over for which the workspace keeps transcripts. */
      410: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * Too many requests of the key are under way, or its workspace reads as many renderings of
       * long recordings as it may. `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There will be no transcript, or the server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.list": {
    parameters: {
      query?: {
        /** Only jobs with that `status`. */
        status?:
          | "ACCEPTED"
          | "IN_QUEUE"
          | "IN_PROGRESS"
          | "TRANSCRIBED"
          | "COMPLETED"
          | "FAILED"
          | "WEBHOOK_DELIVERED"
          | "WEBHOOK_FAILED"
        /** Only jobs with that `callback_id`. */
        callback_id?: string
        /** Only jobs that were accepted then or later: a day of UTC, or an instant. */
        created_after?: string
        /** Only jobs that were accepted before: a day of UTC, or an instant. */
        created_before?: string
        /** The `next_cursor` of the page before; its job need not exist any more. */
        cursor?: string
        /** Most jobs in the answer. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The jobs of the page, newest first. */
      200: {
        content: {
          "application/json": components["schemas"]["JobPage"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The job. */
      200: {
        content: {
          "application/json": components["schemas"]["JobDetails"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.remove": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The job is gone. */
      204: {
        content?: never
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.media": {
    parameters: {
      query?: never
      header?: {
        /** One range of bytes, such as `bytes=0-1023`: it is answered with 206, or with 416. */
        range?: string
        /** The `ETag` of what the caller has of it: of another one, all is sent. */
        "if-range"?: string
        /** The `ETag` of what the caller has: where it is still so, 304. */
        "if-none-match"?: string
      }
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The bytes of the recording. */
      200: {
        content: {
          "application/octet-stream": Blob
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The recording is not stored yet, or no longer. */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.peaks": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The peaks. */
      200: {
        content: {
          "application/json": components["schemas"]["Peaks"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * There is no such job, or no transcript of it, or the transcript was made before peaks were
       * stored.
       */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.history": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Events and webhook requests, oldest first. */
      200: {
        content: {
          "application/json": components["schemas"]["JobHistory"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.redeliver": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The job, with its webhook pending again. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"]
        }
      }
      /** The job has no `callback_url`. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The webhook is still pending, or was asked for again less than a minute ago, or the results
       * are no longer stored.
       */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "jobs.retry": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The job, waiting again. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** It has not failed, its error report is still pending, or its file is gone. */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "corrections.nameSpeakers": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers carry them in `ETag`: the write is made only while one of them is
         * the current one. Without it, the write is made on whatever stands then.
         */
        "if-match"?: string
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours, the same key and body are answered
         * with what the first request made.
         */
        "idempotency-key"?: string
      }
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["SpeakerNames"]
      }
    }
    responses: {
      /** Where the corrections stand then. */
      200: {
        headers: {
          /** The number of the last version, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CorrectionStanding"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * `If-Match` does not hold, there is no transcript to correct, the corrections are full, or
       * the idempotency key stands for another request.
       */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "corrections.correctSegments": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers carry them in `ETag`: the write is made only while one of them is
         * the current one. Without it, the write is made on whatever stands then.
         */
        "if-match"?: string
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours, the same key and body are answered
         * with what the first request made.
         */
        "idempotency-key"?: string
      }
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["SegmentCorrections"]
      }
    }
    responses: {
      /** Where the corrections stand then. */
      200: {
        headers: {
          /** The number of the last version, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CorrectionStanding"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * `If-Match` does not hold, there is no transcript to correct, the corrections are full, or
       * the idempotency key stands for another request.
       */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "corrections.list": {
    parameters: {
      query?: {
        /** Only versions with smaller numbers: the `next_before` of the page before. */
        before?: number
        /** Most versions in the answer. */
        limit?: number
        /** Only segments from this one on: the `next_segment` of the page before. */
        from_segment?: number
      }
      header?: never
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Where the corrections stand, and the versions that led there. */
      200: {
        headers: {
          /** The number of the last version, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Corrections"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** Something that was asked for before stands against it. */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "corrections.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the job. */
        id: string
        /** The number of the version. */
        version: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** A version of the corrections, with everything that it changed. */
      200: {
        content: {
          "application/json": components["schemas"]["CorrectionVersion"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** Something that was asked for before stands against it. */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "corrections.goBack": {
    parameters: {
      query?: never
      header?: {
        /**
         * Entity tags as answers carry them in `ETag`: the write is made only while one of them is
         * the current one. Without it, the write is made on whatever stands then.
         */
        "if-match"?: string
        /**
         * 1 to 255 visible ASCII characters. Within 24 hours, the same key and body are answered
         * with what the first request made.
         */
        "idempotency-key"?: string
      }
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["CorrectionTarget"]
      }
    }
    responses: {
      /** Where the corrections stand then. */
      200: {
        headers: {
          /** The number of the last version, in double quotes, for `If-Match`. */
          ETag: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CorrectionStanding"]
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * `If-Match` does not hold, there is no transcript to correct, the corrections are full, or
       * the idempotency key stands for another request.
       */
      409: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "events.all": {
    parameters: {
      query?: {
        /** The same for those who cannot set a header. The header comes first. */
        last_event_id?: string
      }
      header?: {
        /**
         * The `id` of the last event that was heard: the stream goes on behind it. Browsers send it
         * by themselves when they connect again.
         */
        "last-event-id"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The events, while they happen. */
      200: {
        content: {
          "text/event-stream": string
        }
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** As many listen as may. `Retry-After` says in how many seconds to come again. */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * As many listen to this process as may: another one may have room. `Retry-After` says in how
       * many seconds to come again.
       */
      503: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "events.one": {
    parameters: {
      query?: {
        /** The same for those who cannot set a header. The header comes first. */
        last_event_id?: string
      }
      header?: {
        /**
         * The `id` of the last event that was heard: the stream goes on behind it. Browsers send it
         * by themselves when they connect again.
         */
        "last-event-id"?: string
      }
      path: {
        /** The id of the job. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The events, while they happen. */
      200: {
        content: {
          "text/event-stream": string
        }
      }
      /** The end was heard, and nothing has happened since. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule. */
      400: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * The key is missing, malformed, unknown or lacks the scope, or its workspace is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** There is no such job. */
      404: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** As many listen as may. `Retry-After` says in how many seconds to come again. */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
      /**
       * As many listen to this process as may: another one may have room. `Retry-After` says in how
       * many seconds to come again.
       */
      503: {
        content: {
          "application/json": components["schemas"]["TranscriptionError"]
        }
      }
    }
  }
  "speech.transcribe": {
    parameters: {
      query?: never
      header?: {
        /**
         * 1 to 255 visible ASCII characters. Without one, the same call joins its job. The same key
         * with the same request, within 24 hours, is answered with the same job; with another one,
         * with 409.
         */
        "idempotency-key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["SpeechForm"]
      }
    }
    responses: {
      /** Success */
      200: {
        content: {
          "application/json":
            | components["schemas"]["SpeechVerboseJson"]
            | components["schemas"]["SpeechDiarizedJson"]
            | components["schemas"]["SpeechJson"]
          "text/plain; charset=utf-8": string
          "application/x-subrip; charset=utf-8": string
          "text/vtt; charset=utf-8": string
          "text/event-stream; charset=utf-8": string
        }
      }
      /** A parameter is missing, malformed, unknown, or asks for what is not done here. */
      400: {
        content: {
          "application/json": components["schemas"]["SpeechError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["SpeechError403"]
        }
      }
      /** There is no such model, or the job was deleted, or its transcript is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["SpeechError404"]
        }
      }
      /** The idempotency key stands for another request, or the job was deleted meanwhile. */
      409: {
        content: {
          "application/json": components["schemas"]["SpeechError409"]
        }
      }
      /** The file is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["SpeechError413"]
        }
      }
      /** The format of the file is not accepted. */
      415: {
        content: {
          "application/json": components["schemas"]["SpeechError415"]
        }
      }
      /**
       * The balance is too low (`insufficient_quota`), or too much is under way or was asked for;
       * then `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError429"]
        }
      }
      /** The engine or the server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError500"]
        }
      }
      /** The transcription is still running; the same request joins it. */
      503: {
        content: {
          "application/json": components["schemas"]["SpeechError503"]
        }
      }
    }
  }
  "speech.models": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** SpeechModelList */
      200: {
        content: {
          "application/json": components["schemas"]["SpeechModelList"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["SpeechError403"]
        }
      }
      /** The engine or the server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError500"]
        }
      }
    }
  }
  "speech.model": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The name of the model. */
        model: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** SpeechModel */
      200: {
        content: {
          "application/json": components["schemas"]["SpeechModel"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["SpeechError403"]
        }
      }
      /** There is no such model, or the job was deleted, or its transcript is gone. */
      404: {
        content: {
          "application/json": components["schemas"]["SpeechError404"]
        }
      }
      /** The engine or the server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SpeechError500"]
        }
      }
    }
  }
  "keys.list": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The keys, revoked ones too. */
      200: {
        content: {
          "application/json": components["schemas"]["KeyPage"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key without a list of scopes; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["KeyError403"]
        }
      }
      /** The workspace has no such key, or is being deleted. */
      404: {
        content: {
          "application/json": components["schemas"]["KeyError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError500"]
        }
      }
    }
  }
  "keys.issue": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["KeyOrder"]
      }
    }
    responses: {
      /** The new key with its token. */
      200: {
        content: {
          "application/json": components["schemas"]["IssuedKeyAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["KeyError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key without a list of scopes; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["KeyError403"]
        }
      }
      /** The workspace has no such key, or is being deleted. */
      404: {
        content: {
          "application/json": components["schemas"]["KeyError404"]
        }
      }
      /** The workspace has as many keys as it may. */
      409: {
        content: {
          "application/json": components["schemas"]["KeyError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError500"]
        }
      }
    }
  }
  "keys.rotate": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the key. */
        key_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["KeyRotation"]
      }
    }
    responses: {
      /** The new key with its token. */
      200: {
        content: {
          "application/json": components["schemas"]["IssuedKeyAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["KeyError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key without a list of scopes; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["KeyError403"]
        }
      }
      /** The workspace has no such key, or is being deleted. */
      404: {
        content: {
          "application/json": components["schemas"]["KeyError404"]
        }
      }
      /** The workspace has as many keys as it may. */
      409: {
        content: {
          "application/json": components["schemas"]["KeyError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError500"]
        }
      }
    }
  }
  "keys.revoke": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the key. */
        key_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The key is revoked. */
      204: {
        content?: never
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError401"]
        }
      }
      /**
       * The key may not do this: it takes a management key without a list of scopes; or the
       * workspace of the key is disabled.
       */
      403: {
        content: {
          "application/json": components["schemas"]["KeyError403"]
        }
      }
      /** The workspace has no such key, or is being deleted. */
      404: {
        content: {
          "application/json": components["schemas"]["KeyError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["KeyError500"]
        }
      }
    }
  }
  "workspaces.list": {
    parameters: {
      query?: {
        /** The `next_cursor` of the page before. */
        cursor?: string
        /** Most entries in the answer. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The workspaces of the page. */
      200: {
        content: {
          "application/json": components["schemas"]["AccountPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.create": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorkspaceOrder"]
      }
    }
    responses: {
      /** The workspace. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkspaceAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.ensure": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The host's own name for the workspace. */
        external_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The workspace. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkspaceAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The workspace with what it has left. */
      200: {
        content: {
          "application/json": components["schemas"]["AccountAnswer"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.remove": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The workspace. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkspaceAnswer"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.revise": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorkspaceChange"]
      }
    }
    responses: {
      /** The workspace. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkspaceAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaces.credit": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["Credit"]
      }
    }
    responses: {
      /** What the workspace has now. */
      200: {
        content: {
          "application/json": components["schemas"]["BalanceAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceKeys.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The keys, revoked ones too. */
      200: {
        content: {
          "application/json": components["schemas"]["KeyPage"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceKeys.issue": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["KeyOrder"]
      }
    }
    responses: {
      /** The new key with its token. */
      200: {
        content: {
          "application/json": components["schemas"]["IssuedKeyAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceKeys.rotate": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
        /** The id of the key. */
        key_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["KeyRotation"]
      }
    }
    responses: {
      /** The new key with its token. */
      200: {
        content: {
          "application/json": components["schemas"]["IssuedKeyAnswer"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceKeys.revoke": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
        /** The id of the key. */
        key_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The key is revoked. */
      204: {
        content?: never
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceLabels.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The protected labels, by name. */
      200: {
        content: {
          "application/json": components["schemas"]["ProtectedLabelList"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceLabels.protect": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label is protected. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "workspaceLabels.unprotect": {
    parameters: {
      query?: never
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
        /**
         * The name of the label: a small letter, then at most 62 of `a-z 0-9 _ -`, and not
         * `designated` or `latest`.
         */
        label: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The label is not protected. */
      204: {
        content?: never
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["WorkspaceError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /** There is no such workspace or key. */
      404: {
        content: {
          "application/json": components["schemas"]["WorkspaceError404"]
        }
      }
      /**
       * Another workspace has the external id, somebody else changed the workspace at the same
       * time, or it has as many keys as it may.
       */
      409: {
        content: {
          "application/json": components["schemas"]["WorkspaceError409"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "usage.read": {
    parameters: {
      query?: {
        /**
         * The first instant that is counted, or the day of UTC that begins with it; 30 days before
         * `to` when left out.
         */
        from?: string
        /**
         * The first instant that is not counted any more, or the day of UTC that begins with it;
         * the end of today when left out. At most 366 days after `from`.
         */
        to?: string
        /** What each row is about. */
        by?: "day" | "key" | "workspace"
        /** One workspace. A key of a workspace reads its own in any case. */
        workspace_id?: string
        /** The `next_cursor` of the page before. */
        cursor?: string
        /** Most rows in the answer. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The sums. */
      200: {
        content: {
          "application/json": components["schemas"]["UsagePage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["UsageError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["UsageError403"]
        }
      }
      /**
       * There is no such workspace, or it is not that of the key; or an operator key asks for its
       * own ledger, which it has not.
       */
      404: {
        content: {
          "application/json": components["schemas"]["UsageError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError500"]
        }
      }
    }
  }
  "usage.ledger": {
    parameters: {
      query?: {
        /** The `next_cursor` of the page before. */
        cursor?: string
        /** Most rows in the answer. */
        limit?: number
      }
      header?: never
      path: {
        /** The id of the workspace. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Lines of the ledger, the newest first. */
      200: {
        content: {
          "application/json": components["schemas"]["LedgerPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["UsageError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["UsageError403"]
        }
      }
      /**
       * There is no such workspace, or it is not that of the key; or an operator key asks for its
       * own ledger, which it has not.
       */
      404: {
        content: {
          "application/json": components["schemas"]["UsageError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError500"]
        }
      }
    }
  }
  "usage.ownLedger": {
    parameters: {
      query?: {
        /** The `next_cursor` of the page before. */
        cursor?: string
        /** Most rows in the answer. */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Lines of the ledger, the newest first. */
      200: {
        content: {
          "application/json": components["schemas"]["LedgerPage"]
        }
      }
      /** The request is malformed or breaks a rule; the message names each one. */
      400: {
        content: {
          "application/json": components["schemas"]["UsageError400"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError401"]
        }
      }
      /** The key lacks the scope, or its workspace is disabled. */
      403: {
        content: {
          "application/json": components["schemas"]["UsageError403"]
        }
      }
      /**
       * There is no such workspace, or it is not that of the key; or an operator key asks for its
       * own ledger, which it has not.
       */
      404: {
        content: {
          "application/json": components["schemas"]["UsageError404"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UsageError500"]
        }
      }
    }
  }
  "work.survey": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** The workers, the oldest first, and what is owed by kind and lane. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkAnswer"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "work.queueHistory": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** How much was owed, the oldest sample first. */
      200: {
        content: {
          "application/json": components["schemas"]["QueueHistory"]
        }
      }
      /** The key is missing or not known. */
      401: {
        headers: {
          /** The scheme to authenticate with. */
          "WWW-Authenticate": "Bearer"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError401"]
        }
      }
      /** The key may not do this: it takes an operator key. */
      403: {
        content: {
          "application/json": components["schemas"]["WorkspaceError403"]
        }
      }
      /**
       * Too many requests of the key are under way, or as many came in a second as it or its
       * workspace may send; `Retry-After` says in how many seconds to come again.
       */
      429: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After": number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError429"]
        }
      }
      /** The server failed. */
      500: {
        headers: {
          /** In how many seconds to come again. */
          "Retry-After"?: number
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WorkspaceError500"]
        }
      }
    }
  }
  "system.health": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Health */
      200: {
        content: {
          "application/json": components["schemas"]["Health"]
        }
      }
      /** Health */
      503: {
        content: {
          "application/json": components["schemas"]["Health"]
        }
      }
    }
  }
  "system.ready": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Health */
      200: {
        content: {
          "application/json": components["schemas"]["Health"]
        }
      }
      /** Health */
      503: {
        content: {
          "application/json": components["schemas"]["Health"]
        }
      }
    }
  }
  "system.welcome": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** Welcome */
      200: {
        content: {
          "application/json": components["schemas"]["Welcome"]
        }
      }
    }
  }
  "transcription.ended": {
    parameters: {
      query?: never
      header: {
        /**
         * The `callback_id` of the request, when it had one: ASCII unchanged, anything else as
         * `utf8-b64:` and the base64 of its UTF-8 bytes.
         */
        "X-Callback-ID"?: string
        /**
         * The same on every attempt of a delivery, another one for a redelivery. Receivers drop
         * what they have seen.
         */
        "webhook-id": string
        /** When this attempt was made, in seconds since 1970. */
        "webhook-timestamp": string
        /**
         * After Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 of
         * `<webhook-id>.<webhook-timestamp>.<body>`, one for each secret, separated by spaces. Sent
         * when the workspace has a secret.
         */
        "webhook-signature"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json":
          | components["schemas"]["Job"]
          | components["schemas"]["ParagraphJson"]
          | components["schemas"]["PlainJson"]
          | components["schemas"]["WordJson"]
        "text/plain; charset=utf-8": string
        "application/x-subrip; charset=utf-8": string
        "text/vtt; charset=utf-8": string
      }
    }
    responses: {
      /** Taken: `webhook_status` becomes `DELIVERED`. */
      "2XX": {
        content?: never
      }
      /** Not taken, as any answer but 2xx: another attempt follows. */
      "4XX": {
        content?: never
      }
    }
  }
}
