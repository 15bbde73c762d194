import type { Config } from '../../config.ts';

/**
 * Where the virtual recorders answer; none for people who open this server from elsewhere: they listen on
 * loopback, which from another machine is that machine.
 */
export function virtualRecorderUrls(config: Config): readonly string[] {
  const { RECORDER_PORT: first, RECORDERS: count, PUBLIC_URL } = config;
  if (first === 0) return [];
  if (PUBLIC_URL !== undefined && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) return [];
  return Array.from({ length: count }, (_, index) => `http://127.0.0.1:${first + index}`);
}

/** Whether a host name, as a URL spells it, is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
