/**
 * Converts text to the words that searches compare, without case and accents. In scripts without
 * spaces between words, each character and each pair of adjacent characters counts as a word,
 * because dictionaries differ between versions of JavaScript engines.
 */

/** Matches ASCII text, which has no accents. */
const plain = /^[\x00-\x7f]*$/

/**
 * Matches accents on Latin, Greek and Cyrillic letters, and vowel signs that Hebrew and Arabic
 * usually omit.
 */
const accents = new RegExp(
  "[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7" +
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]",
  "g"
)

/** Replacements for letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  ς: "σ"
}
const special = /[ßæœøđłıς]/g

/** Converts text to lower case without accents. Line breaks are kept. */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .toLowerCase()
        .replace(accents, "")
        .replace(special, (letter) => letters[letter] ?? letter)
        .normalize("NFC")

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}" +
  "\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}ー"

/** Matches a word, or, in a script without spaces, consecutive letters. */
const run = new RegExp(
  `(?<unspaced>[${unspaced}]+)|` +
    `(?:(?![${unspaced}])[\\p{L}\\p{N}])(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])*`,
  "gu"
)

const asciiRun = /[a-z0-9]+/g

/** Maximum length of a searchable word, in code points. Longer words are truncated. */
const wordLengthMax = 64

const cut = (word: string): string =>
  word.length <= wordLengthMax ? word : Array.from(word).slice(0, wordLengthMax).join("")

/** Returns each pair of adjacent characters. */
const pairsOf = (characters: ReadonlyArray<string>): ReadonlyArray<string> =>
  characters.slice(1).map((character, index) => `${characters[index]}${character}`)

type ToWords = (characters: ReadonlyArray<string>) => ReadonlyArray<string>

const split = (folded: string, toWords: ToWords): ReadonlyArray<string> => {
  if (plain.test(folded)) return (folded.match(asciiRun) ?? []).map(cut)
  const words: Array<string> = []
  for (const { 0: found, groups } of folded.matchAll(run)) {
    if (groups?.unspaced === undefined) words.push(cut(found))
    else for (const word of toWords(Array.from(found))) words.push(word)
  }
  return words
}

/** Returns all searchable words in folded text, including repetitions. */
export const wordsOf = (folded: string): ReadonlyArray<string> =>
  split(folded, (characters) => [...characters, ...pairsOf(characters)])

/**
 * Returns the distinct words that a text must contain to match a query; none if the query has
 * neither letters nor digits.
 */
export const queryWords = (query: string): ReadonlyArray<string> => [
  ...new Set(
    split(fold(query), (characters) => (characters.length > 1 ? pairsOf(characters) : characters))
  )
]
