/**
 * Texts from outside without what looks like a secret: engines repeat the key that they refuse, and
 * URLs carry tokens.
 */

/** How much is read of a text: servers answer with whole pages. */
const lengthMax = 4_000

/** What follows `API key provided:` and the like. */
const named = new RegExp(
  String.raw`\b((?:api[ -]?)?key|token|secret|password)` +
    "((?: provided| given| is| was)?[:=]\\s*[\\\\\"'`]*)" +
    "[^\\s\"'`,;]*[^\\s\"'`,;.]",
  "gi"
)

/** Each pattern, and what stands in its place. */
const secrets: ReadonlyArray<readonly [RegExp, string]> = [
  [/(\w{1,20}:\/\/)[^\s/@]*@/g, "$1[key]@"],
  [/([?&#][\w.-]+=)[^\s&"']+/g, "$1[key]"],
  [/\b(bearer|basic|token)(\s+)[\w.+/=*-]{6,}/gi, "$1$2[key]"],
  [named, "$1$2[key]"],
  [/\b(?:sk|pk|rk|gsk|xi|key|api|vb[imo]|whsec|hf|xai)[-_][\w*.+/=-]{5,}[\w*+/=]/gi, "[key]"],
  // Some servers hide the middle of a key. No part may match in two ways: this text is hostile.
  [/[\w.-]{0,64}\*{2}[\w*-]*(?:\.[\w*-]+)*/g, "[key]"]
]

/** Long runs of what keys are made of. */
const run = /[\w+/-]{20,}=*/g

/** The parts of names of models and of words with hyphens: letters, numbers, or a short mixture. */
const isNamePart = (part: string): boolean =>
  part.length <= 6 || /^(?:[a-z]+|[A-Z][a-z]+|\d{1,8})$/i.test(part)

const isName = (text: string): boolean =>
  text.length < 80 && text.split(/[-_/]/).every((part) => part.length <= 24 && isNamePart(part))

/** The text without secrets, cut when it is very long. */
export const withoutSecrets = (text: string): string =>
  secrets
    .reduce((clean, [pattern, by]) => clean.replace(pattern, by), text.slice(0, lengthMax))
    .replace(run, (found) => (isName(found) ? found : "[key]"))
