import { instantText, machineClock } from '../time/clock.ts';

type Write = (message: string, details?: Readonly<Record<string, unknown>>) => void;

/** The structured log of a function: one line of JSON an entry. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type LogLevel = (typeof logLevels)[number];

/** Returns the level that Lambda is configured with, or that of `LOG_LEVEL` elsewhere. */
const configuredLevel = (): LogLevel => {
  const name = process.env['AWS_LAMBDA_LOG_LEVEL'] ?? process.env['LOG_LEVEL'];
  return logLevels.find((level) => level === name) ?? 'INFO';
};

interface LogOptions {
  level?: LogLevel;
  write?: (line: string) => void;
}

/** Returns a log that writes the entries of its level and above, by default to standard error. */
export const logOf = ({
  level = configuredLevel(),
  write = (line) => void process.stderr.write(line),
}: LogOptions = {}): Log => {
  const service = process.env['SERVICE_NAME'];
  const entryOf = (own: LogLevel): Write =>
    logLevels.indexOf(own) < logLevels.indexOf(level)
      ? () => undefined
      : (message, details) => {
          const entry = {
            level: own,
            message,
            service,
            timestamp: instantText(machineClock.now()),
            // Lambda sets it at each invocation.
            xray_trace_id: /Root=([^;]+)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1],
            ...details,
          };
          write(`${JSON.stringify(entry)}\n`);
        };
  return { debug: entryOf('DEBUG'), info: entryOf('INFO'), warn: entryOf('WARN'), error: entryOf('ERROR') };
};

/** The log of this process. */
export const log = logOf();
