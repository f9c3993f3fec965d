/**
 * `verbatim retention preview` and `verbatim workspaces retain`: show what would be deleted now,
 * and set how long old jobs are kept.
 */
import { type ExpiryPreview, previewExpiry, Workspaces } from "@verbatim/core/services"
import {
  DefaultRetention,
  noRetentionRule,
  type RetentionRule,
  retentionDayMax,
  ruleInForce,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Result, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api } from "./ApiCalls.ts"
import { makeOperatorCommand, makeStoreCommand } from "./ApiFlags.ts"
import { optional, pickGiven } from "./flags.ts"
import {
  type Account,
  anyWorkspaceFlag,
  findAccount,
  listAccounts,
  printable,
  tabulate,
  workspaceArgument
} from "./operation.ts"
import { change, isDeleted, mustChangeSomething } from "./workspaceState.ts"

const isDays = (text: string): boolean =>
  text === "default" || (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= retentionDayMax)

const daysFlag = (name: string, what: string) =>
  optional(
    Flag.String(name).pipe(
      Flag.filter(isDays, () => `default, or a whole number from 1 to ${retentionDayMax}`),
      Flag.map((text) => (text === "default" ? null : Number(text)))
    ),
    `Days to keep ${what} after the job has ended, or default`
  )

const flags = {
  media_days: daysFlag("media-days", "media"),
  transcript_days: daysFlag("transcript-days", "transcripts"),
  job_days: daysFlag("job-days", "whole jobs")
}

const daysText = (days: number): string => `${days} day${days === 1 ? "" : "s"}`

/** Describes how long a workspace keeps its data. The rule of a remote server is unknown. */
export const describeRetention = Effect.fnUntraced(function* ({
  retention
}: Pick<Account, "retention">) {
  const { url } = yield* Api
  const server = url === undefined ? yield* DefaultRetention : noRetentionRule
  const own: RetentionRule = {
    mediaDays: retention.media_days,
    transcriptDays: retention.transcript_days,
    jobDays: retention.job_days
  }
  const inForce = ruleInForce(own, server)
  const show = (
    name: keyof RetentionRule,
    otherwise: { readonly along: string; readonly without: string }
  ) => {
    const days = inForce[name]
    if (days === null) return url === undefined ? otherwise.without : "by the server's rule"
    if (own[name] === days) return daysText(days)
    const isServers = own[name] === null && server[name] === days
    return `${daysText(days)}, ${isServers ? "by the server's rule" : otherwise.along}`
  }
  return {
    "media kept": show("mediaDays", {
      along: "with the transcript",
      without: "as long as the server needs it"
    }),
    "transcripts kept": show("transcriptDays", { along: "with the job", without: "forever" }),
    "jobs kept": show("jobDays", { along: "", without: "forever" })
  }
})

export const retain = makeOperatorCommand("retain", {
  description: "Set how long a workspace keeps media, transcripts and jobs",
  flags: { id: workspaceArgument, ...flags },
  run: ({ id, ...given }) =>
    Effect.gen(function* () {
      const retention = pickGiven(given, flags)
      yield* mustChangeSomething(retention, "Give --media-days, --transcript-days or --job-days.")
      return yield* change(id, { retention })
    }),
  text: (changed) => Effect.map(describeRetention(changed), tabulate)
})

/** Counts the data that would be deleted from a workspace. */
const viewOf = ({ id, name }: Account, outlook: ExpiryPreview) => {
  const { isAll, jobs, media, oldest, transcripts } = outlook
  return {
    workspace_id: id,
    name,
    complete: isAll,
    ...{ jobs, transcripts, media },
    oldest: Option.getOrNull(Option.map(oldest, DateTime.formatIso))
  }
}

const rowOf = (view: ReturnType<typeof viewOf>) => {
  const { complete, jobs, media, name, oldest, transcripts, workspace_id } = view
  const least = complete ? "" : "over "
  return {
    name: printable(name),
    jobs: `${least}${jobs}`,
    transcripts: `${least}${transcripts}`,
    files: `${least}${media}`,
    "oldest ended": oldest ?? "",
    workspace: workspace_id
  }
}

const preview = makeStoreCommand("preview", {
  description: "Show what retention would delete now, by workspace",
  flags: { workspace: anyWorkspaceFlag },
  run: ({ workspace: wanted }) =>
    (wanted === undefined ? listAccounts : Stream.fromEffect(findAccount(wanted))).pipe(
      // A deleted workspace is skipped, because its content is deleted anyway.
      Stream.filter((account) => !isDeleted(account)),
      Stream.mapEffect(
        Effect.fnUntraced(function* (account) {
          const { workspace } = yield* (yield* Workspaces).account(WorkspaceId.make(account.id))
          return Option.map(yield* previewExpiry(workspace), (found) => viewOf(account, found))
        })
      ),
      Stream.filterMap(Result.fromOption(() => undefined))
    ),
  text: { row: rowOf },
  empty: "No retention rules are set; nothing is deleted automatically."
})

export const retention = Command.make("retention").pipe(
  Command.withDescription("Preview what retention will delete"),
  Command.withSubcommands([preview])
)
