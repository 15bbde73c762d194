/** Settings, from the environment, read once. */
import { resolve } from 'node:path';
import { isPayload, type Payload } from './radio/model.ts';

export interface Config {
  /** Of the control API and the radio, on 127.0.0.1. */
  readonly port: number;
  /** Folder of the flash image. */
  readonly flashDir: string;
  /** Folder of spoken scenes. */
  readonly scenesDir: string;
  /** Name of the scene that the microphone hears. */
  readonly scene: string;
  /** Bytes of one notification for centrals that do not ask for a size. */
  readonly payload: Payload;
}

/** A variable with a value that cannot be used; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The scene that is heard rather than found on a new recorder. */
export const MICROPHONE_SCENE = 'microphone';
const SCENES = resolve(import.meta.dirname, '../scenes');

/** @throws {ConfigError} */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const port = Number(env.RECORDER_PORT ?? 8090);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new ConfigError(`RECORDER_PORT must be a port number, not "${env.RECORDER_PORT}"`);
  }
  const payload = Number(env.RECORDER_PAYLOAD ?? 244);
  if (!isPayload(payload)) {
    throw new ConfigError(
      `RECORDER_PAYLOAD must be 20, 182, 244 or 495, not "${env.RECORDER_PAYLOAD}"`,
    );
  }
  return {
    port,
    payload,
    flashDir: resolve(env.DATA_DIR ?? 'data', 'recorder'),
    scenesDir: resolve(env.RECORDER_SCENES ?? SCENES),
    scene: env.RECORDER_SCENE ?? MICROPHONE_SCENE,
  };
}
