const levels = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** The minimum severity that the client logs. */
export type LogLevel = (typeof levels)[number];
type Level = Exclude<LogLevel, 'off'>;

/** Where the client logs, for example `console`. The details have the headers, at the level `debug`. */
export type Logger = Record<Level, (message: string, details?: { headers: object }) => void>;

export interface LogOptions {
  /** Default: `console`. */
  logger?: Logger;
  /**
   * `error`: calls without a response; `warn`: also retries; `info`: also responses; `debug`: also requests, and all
   * headers. Credentials are redacted, and bodies are never logged. Default: `warn` with a `logger`, otherwise `off`.
   */
  logLevel?: LogLevel;
}

export type Log = (level: Level, message: string, headers?: Headers) => void;

export function logOf(logger: Logger | undefined, logLevel: LogLevel = logger ? 'warn' : 'off'): Log {
  const target: Logger = logger ?? console;
  const enabled = levels.slice(levels.indexOf(logLevel));
  return (level, message, headers) => {
    const details = enabled[0] === 'debug' && headers ? [{ headers: redactHeaders(headers) }] : [];
    if (enabled.includes(level)) target[level](redact(message), ...details);
  };
}

/** Organization tokens, JSON Web Tokens, and secrets in the query or the path of a link. */
function redact(text: string): string {
  return text
    .replace(/\btot_\w+|\beyJ[\w-]+(\.[\w-]*){1,2}/g, '***')
    .replace(/([?&][^=&\s]*(?:signature|token|secret|credential|key)[^=&\s]*=)[^&\s]+/gi, '$1***')
    .replace(/(\/links\/)[^/?\s]+/g, '$1***');
}

function redactHeaders(headers: Headers): Record<string, string> {
  const secret = /authorization|cookie|token|secret|signature|location|api-?key/i;
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secret.test(name) ? '***' : redact(value)]),
  );
}
