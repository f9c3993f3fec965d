/**
 * Creates versions of presets from requests: validates a request, and stores the parts that a
 * preset keeps, once for each idempotency key.
 */
import { DateTime, Effect, Option, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import {
  IdempotencyConflict,
  type IdempotencyKey,
  parseKey
} from "../../domain/idempotency/IdempotencyKey.ts"
import { statuses } from "../../domain/preset/PresetChange.ts"
import type { PresetAddress, PresetCreation } from "../../domain/preset/PresetCommand.ts"
import { validateWins } from "../../domain/preset/PresetContent.ts"
import {
  answerRepeat,
  type KeyedRequest,
  type PresetDraft
} from "../../domain/preset/PresetDraft.ts"
import { fingerprint } from "../../domain/preset/PresetFingerprint.ts"
import {
  ConditionFailed,
  ManagementKeyRequired,
  PresetInactive
} from "../../domain/preset/PresetRefusal.ts"
import * as PresetSlug from "../../domain/preset/PresetSlug.ts"
import {
  commentMax,
  PresetId,
  PresetVersionId,
  VersionComment
} from "../../domain/preset/PresetVersion.ts"
import type { DesignatedPreset } from "../../domain/preset/VersionSelector.ts"
import { responses, sort, validate } from "../../domain/request/RequestFormat.ts"
import { InvalidRequest } from "../../domain/schema/Problem.ts"
import { makeRetryUnknownOutcome, overdue } from "../../ports/Deadline.ts"
import { PresetStore, PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"

/** The preset with its new version, and the paths of the fields that are not kept. */
export interface CreatedPreset extends DesignatedPreset {
  /** Whether the new version was only staged. The first version of a preset is never staged. */
  readonly isStaged: boolean
  readonly notKept: ReadonlyArray<string>
}

/** Creates the functions that create versions from requests. */
export const makeCreations = Effect.gen(function* () {
  const { appendOrRepeat, findMade } = yield* makeAppends
  return { create: yield* makeCreate(appendOrRepeat), findMade }
})

/** Creates the functions that append versions and find the versions of retried requests. */
const makeAppends = Effect.map(PresetStore, (store) => {
  /**
   * Returns the result of the first request with a key, if this request is identical; none if the
   * key is free.
   */
  const findMade = Effect.fnUntraced(function* (
    { stage, workspaceId }: Pick<PresetDraft, "stage" | "workspaceId">,
    repeat: KeyedRequest
  ) {
    const first = yield* store.made(workspaceId, repeat.key)
    if (Option.isNone(first)) return Option.none()
    const { fingerprint, made } = first.value
    if (fingerprint === repeat.fingerprint) return Option.some(answerRepeat({ stage }, made))
    return yield* new IdempotencyConflict({ reason: "OtherRequest" })
  })

  /** Like `findMade`, but appends the version if the first request's key has since expired. */
  const repeatOrAppend = (draft: PresetDraft, repeat: KeyedRequest) =>
    Effect.flatMap(findMade(draft, repeat), (made) =>
      Option.isSome(made) ? Effect.succeed(made.value) : append(draft)
    )

  const append = (draft: PresetDraft) => retryUnknownOutcome(store.append(draft))

  /** Appends a version, or returns that of the first request with the same key. */
  const appendOrRepeat = (draft: PresetDraft) => {
    const { request } = draft
    return Option.isNone(request)
      ? append(draft)
      : append(draft).pipe(Effect.catchIf(isKeyTaken, () => repeatOrAppend(draft, request.value)))
  }

  return { appendOrRepeat, findMade }
})

/** Creates the method `Presets.create`. */
const makeCreate = Effect.fnUntraced(function* (
  appendOrRepeat: Effect.Success<typeof makeAppends>["appendOrRepeat"]
) {
  const random = yield* SecureRandom.SecureRandom
  const withDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)

  return trace("Creations.create")(function* <E, R>({
    body,
    comment: commentText = null,
    condition,
    format = responses,
    idempotencyKey,
    fingerprint: givenFingerprint,
    principal,
    sessionIdHeader,
    slug,
    stage = false,
    wins: named
  }: PresetCreation<E, R>) {
    const { userId, workspaceId } = principal
    const valid = yield* requireWriteAccess({ principal, slug })
    const key = yield* readIdempotencyKey(idempotencyKey)
    const comment = yield* parseComment(commentText)
    const read = yield* Effect.fromResult(validate(format, { body: yield* body, sessionIdHeader }))
    const kept = sort(format, read)
    const wins = yield* Effect.fromResult(validateWins(kept.config, named))
    const judged = { format, slug: valid, body: read, comment, stage, wins }
    const request = Option.isSome(key)
      ? Option.some({
          key: key.value,
          fingerprint: givenFingerprint ?? (yield* withDigest(fingerprint(judged)))
        })
      : Option.none()
    const draft = {
      workspaceId,
      slug: valid,
      presetId: PresetId.make(yield* random.uuidV7()),
      versionId: PresetVersionId.make(yield* random.uuidV7()),
      creatorId: userId,
      format: format.name,
      systemPrompt: kept.systemPrompt,
      config: kept.config,
      wins,
      comment,
      stage,
      at: yield* DateTime.now,
      request,
      condition
    }
    const { notKept } = kept
    return yield* Effect.mapBoth(appendOrRepeat(draft), {
      onSuccess: (found) => ({
        ...found,
        notKept,
        isStaged: stage && found.version.version > 1
      }),
      onFailure: (error) => refusalOf(valid, error)
    })
  })
})

/** Parses the slug, if the caller has write access. */
export const requireWriteAccess = Effect.fnUntraced(function* ({ principal, slug }: PresetAddress) {
  if (principal.kind !== "management") return yield* new ManagementKeyRequired()
  return yield* Effect.fromResult(PresetSlug.decode(slug))
})

const malformedKey = new InvalidRequest({
  problems: [{ path: "idempotency-key", rule: "must be 1 to 255 visible ASCII characters" }]
})

const isComment = Schema.is(VersionComment)

const commentRule = `at most ${commentMax} characters, without NUL and halves of characters`

/** Validates the comment on a new version. */
export const parseComment = (text: string | null): Effect.Effect<string | null, InvalidRequest> =>
  text === null || isComment(text)
    ? Effect.succeed(text)
    : Effect.fail(new InvalidRequest({ problems: [{ path: "comment", rule: commentRule }] }))

/** Parses the idempotency key; returns none if there is no key. */
export const readIdempotencyKey = (
  text: string | undefined
): Effect.Effect<Option.Option<IdempotencyKey>, InvalidRequest> => {
  if (text === undefined) return Effect.succeedNone
  const key = parseKey(text)
  return Option.isSome(key) ? Effect.succeed(key) : Effect.fail(malformedKey)
}

/** Creates the failure of a write that the store did not answer before its deadline. */
export const timeoutError = (): PresetStoreError =>
  new PresetStoreError({ operation: "write", reason: { _tag: "Unavailable", cause: overdue } })

/**
 * Retries a write with an unknown outcome. Contention affects only one try, and says nothing about
 * the outcome of earlier ones.
 */
export const retryUnknownOutcome = makeRetryUnknownOutcome<PresetStoreError>({
  isOutcomeUnknown: ({ reason }) => reason._tag === "Unavailable",
  isInconclusive: ({ reason }) => reason._tag === "Contended",
  timeoutError
})

/** Converts the store's failures to refusals. Other failures stay unchanged. */
const refusalOf = <E>(
  slug: string,
  error: E | PresetStoreError
): E | ConditionFailed | PresetInactive | PresetStoreError => {
  if (!(error instanceof PresetStoreError)) return error
  switch (error.reason._tag) {
    case "Archived":
      return new PresetInactive({ slug, status: statuses.Archived })
    case "ConditionFailed":
      return new ConditionFailed({ slug, unmet: error.reason.unmet })
    default:
      return error
  }
}

const isKeyTaken = (error: PresetStoreError): boolean => error.reason._tag === "KeyTaken"
