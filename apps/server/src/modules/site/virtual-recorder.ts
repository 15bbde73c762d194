import type { Config } from '../../config/index.ts';
import { isLoopbackHost } from '../../config/index.ts';

/**
 * Returns the URLs of all software recorders: the server's own virtual recorders, and the recorders in RECORDER_URLS.
 */
export function softwareRecorderUrls(config: Config): readonly string[] {
  return [...new Set([...virtualRecorderUrls(config), ...config.RECORDER_URLS])];
}

/**
 * Returns the virtual recorders' URLs. The recorders listen on the loopback interface, so the list is empty if the
 * server has a public URL.
 */
export function virtualRecorderUrls(config: Config): readonly string[] {
  const { RECORDER_PORT: firstPort, RECORDERS: count, PUBLIC_URL } = config;
  if (firstPort === 0) return [];
  if (PUBLIC_URL !== undefined && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) return [];
  return Array.from({ length: count }, (_, index) => `http://127.0.0.1:${firstPort + index}`);
}
