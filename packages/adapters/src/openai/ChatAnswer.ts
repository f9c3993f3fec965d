/**
 * The text inside an answer of `/chat/completions`, or why there is none: refused, cut off, empty.
 * Pure.
 */
import { printable } from "@verbatim/core/attempt"
import { Result } from "effect"
import { type Reading, reading } from "../engines/pieces/Json.ts"
import { ProviderError } from "./Provider.ts"

const { Malformed, Refused } = ProviderError.fields.reason.cases

type Reason = ProviderError["reason"]

/** What some models think aloud before they answer. */
const thoughts = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i

/** A fence around the whole answer. */
const fence = /^```\w*\n([\s\S]*?)\n?```$/

/** Text as it may be stored: line feeds stay, other control characters go. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .replace(/[^\S\n]+$/gm, "")
    .trim()

const contentOf = (message: Reading): string => {
  const content = message.at("content")
  return content.text ?? content.entries.map((part) => part.at("text").text ?? "").join("")
}

/** Reads an answer. */
export const textIn = (json: unknown): Result.Result<string, Reason> => {
  const answer = reading(json)
  const choice = answer.at("choices").at(0)
  const refusal = choice.at("message").at("refusal").text
  const end = choice.at("finish_reason").text
  const problem = answer.at("error")
  if (problem.value !== undefined && problem.value !== null) {
    const said = problem.text ?? problem.at("message").text ?? "an error"
    return Result.fail(Malformed.make({ detail: printable(said) }))
  }
  if (refusal !== undefined && refusal !== "") {
    return Result.fail(Refused.make({ detail: printable(`the model refused: ${refusal}`) }))
  }
  if (end === "content_filter") {
    return Result.fail(Refused.make({ detail: "a content filter stopped the answer" }))
  }
  if (end === "length") return Result.fail(Malformed.make({ detail: "the answer was cut off" }))
  const text = cleanText(contentOf(choice.at("message")).replace(thoughts, ""))
  const unfenced = (fence.exec(text)?.[1] ?? text).trim()
  return unfenced === ""
    ? Result.fail(Malformed.make({ detail: "the answer has no text" }))
    : Result.succeed(unfenced)
}
