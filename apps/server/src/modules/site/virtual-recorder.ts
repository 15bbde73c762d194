import type { Config } from '../../config/index.ts';
import { isLoopbackHost } from '../../config/index.ts';

/**
 * URLs of the virtual recorders. They listen on loopback, so none are returned if the server is opened from another
 * machine.
 */
export function virtualRecorderUrls(config: Config): readonly string[] {
  const { RECORDER_PORT: first, RECORDERS: count, PUBLIC_URL } = config;
  if (first === 0) return [];
  if (PUBLIC_URL !== undefined && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) return [];
  return Array.from({ length: count }, (_, index) => `http://127.0.0.1:${first + index}`);
}
