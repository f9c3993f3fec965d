/** Operations on jobs and workspaces, and the methods of an opened Verbatim that do the same. */
import { same, without } from "./Sameness.ts"

const status = {
  status: "transcription.state",
  transcriptionStatus: "transcription.state",
  webhookStatus: "webhook.state",
  transcriptNoticeStatus: "transcriptNotice.state",
  noticeStatus: "notice.state",
  summaryStatus: "summary.state",
  keywordsUsed: "transcription.areKeywordsUsed",
  speakersUsed: "transcription.isSpeakerCountUsed",
  error: "transcription.failure.message",
  progress: without("`wait` and `events` tell it as it grows"),
  balanceMinutes: without("`workspaces.balance` tells it")
} as const

const noText = without("`jobs.result` tells it, and `jobs.render` in each form")

/** Answers about one job have its transcript, which is another method here. */
const withoutText = {
  ...status,
  output: noText,
  "output.duration": noText,
  "output.language": noText,
  "output.list.start": noText,
  "output.list.end": noText,
  "output.list.speaker": noText,
  "output.list.text": noText
} as const

/** What came of it: all segments, each with its times. */
const withText = {
  ...status,
  output: "transcript",
  "output.duration": "transcript.durationMillis",
  "output.language": "transcript.language",
  "output.list.start": "transcript.segments.startMillis",
  "output.list.end": "transcript.segments.endMillis",
  "output.list.speaker": "transcript.segments.speaker",
  "output.list.text": "transcript.segments.text"
} as const

const details = {
  createdAt: "acceptedAt",
  filename: "source.filename",
  duration: "transcription.durationMillis",
  language: "transcription.language",
  engine: "transcription.engine",
  speakerCount: "transcription.speakerCount",
  warnings: "transcription.warnings",
  "warnings.code": "transcription.warnings",
  "warnings.message": "transcription.warnings",
  summaryRequested: "summary.requested",
  summaryType: "summary.type"
} as const

/** Jobs. */
export const jobs = {
  "transcription.create": same("transcription.create", ["transcribe"], {
    takes: {
      file: "media",
      url: "media",
      callbackUrl: "webhook.url",
      modifier: "webhook.modifier",
      disableDiarization: "diarization",
      template: without("a host says what it wants each time: it has no templates")
    },
    gives: withoutText
  }),
  "transcription.status": same("transcription.status", ["jobs.get", "jobs.result"], {
    takes: { wait: without("`wait` waits for the end, and `events` tells of every change") },
    gives: withText
  }),
  "transcription.result": same("transcription.result", ["jobs.render"], {
    takes: { modifier: "1" },
    gives: {}
  }),
  "jobs.list": same("jobs.list", ["jobs.list"], {
    takes: { createdAfter: "acceptedAfter", createdBefore: "acceptedBefore", cursor: "after" },
    gives: { ...status, ...details, nextCursor: "next" }
  }),
  "jobs.get": same("jobs.get", ["jobs.get", "jobs.result"], {
    takes: {},
    gives: {
      ...withText,
      ...details,
      cause: "transcription.failure.detail",
      summaryCause: "summary.failure.detail",
      webhookCause: "webhook.failure.detail",
      mediaUrl: "source.url",
      receiver: "webhook.url"
    }
  }),
  "jobs.remove": same("jobs.remove", ["jobs.remove"], { takes: {}, gives: {} }),
  "jobs.media": same("jobs.media", ["jobs.media"], {
    takes: {
      range: "from",
      ifRange: without("a recording never changes: its job keeps it, or not"),
      ifNoneMatch: without("a recording never changes: its job keeps it, or not")
    },
    gives: {}
  }),
  "jobs.peaks": same("jobs.peaks", ["jobs.peaks"], { takes: {}, gives: {} }),
  "jobs.history": same("jobs.history", ["jobs.history", "jobs.webhookAttempts"], {
    takes: {},
    gives: {
      id: without("whoever asks has named the job"),
      "events.revision": "revision",
      "events.at": "at",
      "events.about": "about",
      "events.event": "event",
      "events.hook": "hook",
      "events.dueAt": "dueAt",
      "events.error": "failure.message",
      "events.cause": "failure.detail",
      "events.duration": "durationMillis",
      "events.language": "language",
      "events.engine": "engine",
      "events.keywordsUsed": "areKeywordsUsed",
      "events.speakersUsed": "isSpeakerCountUsed",
      "events.warnings": "warnings",
      "events.warnings.code": "warnings.code",
      "events.warnings.message": "warnings.message",
      "events.type": "type",
      "events.reason": "reason",
      "events.statusCode": "status",
      "webhookAttempts.delivery": "delivery",
      "webhookAttempts.attempt": "attempt",
      "webhookAttempts.startedAt": "startedAt",
      "webhookAttempts.durationMs": "durationMillis",
      "webhookAttempts.statusCode": "status",
      "webhookAttempts.bytes": "byteLength",
      "webhookAttempts.error": "error",
      "webhookAttempts.cause": "cause",
      mediaUrl: without("`jobs.get` gives the whole link"),
      receiver: without("`jobs.get` gives the whole address")
    }
  }),
  "jobs.redeliver": same("jobs.redeliver", ["jobs.redeliver"], { takes: {}, gives: withoutText }),
  "jobs.retry": same("jobs.retry", ["jobs.retry"], { takes: {}, gives: withoutText }),
  "events.all": same("events.all", ["jobs.allEvents"], {
    takes: { lastEventId: "after" },
    gives: {}
  }),
  "events.one": same("events.one", ["jobs.events"], { takes: { lastEventId: "after" }, gives: {} })
}

const written = { ifMatch: "ifVersion" } as const

/** Corrections of transcripts. */
export const corrections = {
  "corrections.nameSpeakers": same("corrections.nameSpeakers", ["jobs.corrections.nameSpeakers"], {
    takes: written,
    gives: {}
  }),
  "corrections.correctSegments": same(
    "corrections.correctSegments",
    ["jobs.corrections.correctSegments"],
    { takes: written, gives: {} }
  ),
  "corrections.goBack": same("corrections.goBack", ["jobs.corrections.goBack"], {
    takes: { ...written, version: "1" },
    gives: {}
  }),
  "corrections.list": same("corrections.list", ["jobs.corrections.get"], { takes: {}, gives: {} }),
  "corrections.get": same("corrections.get", ["jobs.corrections.version"], {
    takes: { version: "1" },
    gives: {}
  })
}

const ofOpenAi = without("a program calls `transcribe`; clients of OpenAI call the mounted API")
const ofOperators = without("limits, names and keys of a host's customers are its own matter")
const ofSystem = without("a host knows whether it is up")

/** What a host has otherwise, or needs not. */
export const others = {
  "speech.transcribe": ofOpenAi,
  "speech.models": ofOpenAi,
  "speech.model": ofOpenAi,
  "keys.list": ofOperators,
  "keys.issue": ofOperators,
  "keys.rotate": ofOperators,
  "keys.revoke": ofOperators,
  "workspaceKeys.list": ofOperators,
  "workspaceKeys.issue": ofOperators,
  "workspaceKeys.rotate": ofOperators,
  "workspaceKeys.revoke": ofOperators,
  "workspaces.create": without("`workspaces.ensure` makes one by the host's own name"),
  "workspaces.ensure": without("`workspaces.ensure` gives the id and the name"),
  "workspaces.list": ofOperators,
  "workspaces.get": without("`workspaces.balance` and `workspaces.keywords` tell what counts"),
  "workspaces.revise": without("`workspaces.setKeywords`; the rest is the host's own matter"),
  "workspaces.remove": without("`workspaces.remove` does it"),
  "workspaces.credit": without("`workspaces.credit` does it, and gives milliseconds"),
  "workspaceLabels.list": without("`presets.protectedLabels` speaks as an operator"),
  "workspaceLabels.protect": without("`presets.protectLabel` speaks as an operator"),
  "workspaceLabels.unprotect": without("`presets.unprotectLabel` speaks as an operator"),
  "usage.ledger": same("usage.ledger", ["workspaces.ledger"], {
    takes: { cursor: "before" },
    gives: { nextCursor: "next", minutes: without("`millis` says it exactly") }
  }),
  "usage.ownLedger": without("`workspaces.ledger` takes the workspace"),
  "usage.read": without("`workspaces.usage` gives all rows at once, in milliseconds"),
  "work.survey": ofOperators,
  "work.queueHistory": ofOperators,
  "system.health": ofSystem,
  "system.ready": ofSystem,
  "system.welcome": ofSystem
}
