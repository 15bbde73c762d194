import type { Config } from '../../config.ts';

/**
 * Where the virtual recorder answers, or null when there is none for the people who open this server:
 * it listens on loopback, which from another machine is that machine.
 */
export function virtualRecorderUrl(config: Config): string | null {
  if (config.RECORDER_PORT === 0) return null;
  if (config.PUBLIC_URL !== undefined && !isLoopbackHost(new URL(config.PUBLIC_URL).hostname)) {
    return null;
  }
  return `http://127.0.0.1:${config.RECORDER_PORT}`;
}

/** Whether a host name, as a URL spells it, is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
