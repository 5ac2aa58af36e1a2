import type { LoggerService, LogLevel } from '@nestjs/common';
import type { Config } from '../config/config.js';

type Level = Config['logLevel'];
const RANK: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * Writes to stderr, one line each: local time and words for people, JSON for machines. stdout stays free for what a
 * command was asked to print.
 */
export class AppLogger implements LoggerService {
  constructor(
    private readonly format: Config['logFormat'],
    private readonly level: Level,
  ) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  setLogLevels(_levels: LogLevel[]): void {
    // The level comes from the configuration alone.
  }

  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (RANK[level] < RANK[this.level]) return;
    // Nest's own start-up chatter (one line a module and route) hides the few lines that matter.
    const context = rest.length > 0 ? rest[rest.length - 1] : undefined;
    const name = typeof context === 'string' && !context.includes('\n') ? context : undefined;
    if (level === 'info' && name !== undefined && NEST_CHATTER.has(name)) return;
    const stack = rest.find((part): part is string => typeof part === 'string' && part.includes('\n'));
    const text =
      message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    const trace = stack ?? (message instanceof Error && level === 'error' ? message.stack : undefined);
    process.stderr.write(
      `${this.format === 'json' ? asJson(level, name, text, trace) : asText(level, name, text, trace)}\n`,
    );
  }
}

const NEST_CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);

function asJson(level: Level, context: string | undefined, message: string, stack: string | undefined): string {
  return JSON.stringify({ time: new Date().toISOString(), level, context, message, stack });
}

function asText(level: Level, context: string | undefined, message: string, stack: string | undefined): string {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const where = context === undefined ? '' : `[${context}] `;
  return `${local} ${level.toUpperCase().padEnd(5)} ${where}${message}${stack === undefined ? '' : `\n${stack}`}`;
}
