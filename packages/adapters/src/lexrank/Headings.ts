/**
 * Lists the two fixed headings of a long summary, in every accepted language. All other headings
 * use words from the transcript.
 */
import type { Language } from "@verbatim/core/transcription"

/** The headings for the digest and the executive summary. */
export type Headings = readonly [digest: string, summary: string]

/** The headings for long summaries, keyed by language. */
export const headings: Readonly<Record<Language, Headings>> = {
  af: ["Kortliks", "Opsomming"],
  ar: ["باختصار", "الملخص"],
  az: ["Qısaca", "Xülasə"],
  be: ["Коратка", "Рэзюмэ"],
  bg: ["Накратко", "Резюме"],
  bs: ["Ukratko", "Sažetak"],
  ca: ["En breu", "Resum"],
  cs: ["Ve zkratce", "Shrnutí"],
  cy: ["Yn fyr", "Crynodeb"],
  da: ["Kort fortalt", "Resumé"],
  de: ["Kurz gesagt", "Zusammenfassung"],
  el: ["Εν συντομία", "Περίληψη"],
  en: ["In brief", "Executive summary"],
  es: ["En breve", "Resumen"],
  et: ["Lühidalt", "Kokkuvõte"],
  fa: ["در یک نگاه", "خلاصه"],
  fi: ["Lyhyesti", "Yhteenveto"],
  fr: ["En bref", "Résumé"],
  gl: ["En breve", "Resumo"],
  he: ["בקצרה", "תקציר"],
  hi: ["संक्षेप में", "सारांश"],
  hr: ["Ukratko", "Sažetak"],
  hu: ["Röviden", "Összefoglaló"],
  hy: ["Համառոտ", "Ամփոփում"],
  id: ["Singkatnya", "Ringkasan"],
  is: ["Í stuttu máli", "Samantekt"],
  it: ["In breve", "Sintesi"],
  ja: ["要点", "要約"],
  kk: ["Қысқаша", "Түйін"],
  ko: ["한눈에 보기", "요약"],
  lt: ["Trumpai", "Santrauka"],
  lv: ["Īsumā", "Kopsavilkums"],
  mi: ["He poto", "Whakarāpopototanga"],
  mk: ["Накратко", "Резиме"],
  ms: ["Secara ringkas", "Ringkasan"],
  ne: ["संक्षेपमा", "सारांश"],
  nl: ["In het kort", "Samenvatting"],
  no: ["Kort fortalt", "Sammendrag"],
  pl: ["W skrócie", "Podsumowanie"],
  pt: ["Em síntese", "Resumo"],
  ro: ["Pe scurt", "Rezumat"],
  ru: ["Коротко", "Резюме"],
  sk: ["V skratke", "Zhrnutie"],
  sl: ["Na kratko", "Povzetek"],
  sr: ["Укратко", "Сажетак"],
  sv: ["I korthet", "Sammanfattning"],
  sw: ["Kwa kifupi", "Muhtasari"],
  th: ["โดยย่อ", "บทสรุป"],
  tr: ["Kısaca", "Özet"],
  uk: ["Коротко", "Підсумок"],
  vi: ["Nói ngắn gọn", "Tóm tắt"],
  zh: ["要点", "摘要"]
}
