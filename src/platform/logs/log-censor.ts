const REDACTED = '[redacted]';

/** Names of fields, headers and parameters with secret values, with any prefix (`client_secret`). */
const SECRET_NAME = [
  '[\\w-]{0,40}(?:password|token|secret|cookie|authorization|signature|private[_-]?(?:key|pem))(?:_?(?:confirmation|hash))?',
  'codes?',
  'code_verifier',
  'otp(?:_code)?',
  'captcha_solution',
].join('|');

const SECRET_KEY = new RegExp(`^(?:${SECRET_NAME})$`, 'i');

/** `name=value`, also as `user[name]=value`, and inside a percent-encoded URL. */
const PARAMETER = new RegExp(`(?<=^|[^\\w-]|%[\\dA-F]{2})((?:${SECRET_NAME})(?:\\]|%5D)?(?:=|%3D))[^&\\s"'<>]+`, 'gi');
/** `"name": "value"` inside a text. */
const QUOTED_FIELD = new RegExp(`(["'](?:${SECRET_NAME})["']\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?)`, 'gi');
const HEADER = /((?:cookie|authorization|signature)\s*:\s*)[^\r\n]+/gi;
const CREDENTIALS = /\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi;
/** Tokens and codes of this server in any place, such as the path of a link. */
const TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g;
/** The end of the JSON parser's message; before it, the message quotes the unreadable text. */
const UNREADABLE_JSON = 'is not valid JSON';

/** Whether a line needs the full check; most lines do not. */
const SUSPICIOUS =
  /password|token|secret|cookie|authorization|signature|private|code|otp|captcha|bearer|basic|not valid JSON|[\w-]{43}/i;

/**
 * Removes secrets from one line of the log, a JSON object: values of fields with a secret name, at any depth, and texts
 * that look like secrets. The last line of defence: callers should not log secrets at all.
 */
export function censored(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  return `${JSON.stringify(JSON.parse(line, (key, value: unknown) => censoredField(key, value)))}\n`;
}

function censoredField(key: string, value: unknown): unknown {
  if (SECRET_KEY.test(key) && value !== null && typeof value !== 'boolean') return REDACTED;
  return typeof value === 'string' ? censoredText(value) : value;
}

function censoredText(text: string): string {
  return withoutQuotedJson(text)
    .replace(PARAMETER, `$1${REDACTED}`)
    .replace(QUOTED_FIELD, `$1"${REDACTED}"`)
    .replace(HEADER, `$1${REDACTED}`)
    .replace(CREDENTIALS, `$1${REDACTED}`)
    .replace(TOKEN, REDACTED);
}

function withoutQuotedJson(text: string): string {
  const start = text.indexOf('"');
  const end = text.lastIndexOf(UNREADABLE_JSON);
  return start === -1 || end < start ? text : text.slice(0, start) + text.slice(end);
}
