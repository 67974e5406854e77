import "server-only";

const REPORT =
  /\b(?:a|an|the|as|into|in|of|short|brief|full|written|markdown|weekly|monthly|daily|summary|final|me)\s+(?:(?!(?:and|that|which|to|then|or)\b)[\p{L}-]+\s+){0,2}?(?:reports?|documents?|write-?ups?|memos?|files? to download|artifacts?)\b|\b(?:save|export|download)(?:s|ed)?\b|\bartifacts?\b|^write (?:\w+ )?report/imu;

/** Whether a text wants a file made: `write a report` does, `report the average` does not. */
export function wantsReport(text: string): boolean {
  return REPORT.test(text.replace(/\b(?:in|from|of) (?:the|a|an) (?:document|report|file)s?\b/gi, " "));
}
