/** Reads the configuration of the virtual recorder, a simulator, from environment variables. */
import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { type ProtocolVersion, VERSION_1, VERSION_2 } from '@linnet/device/codec';
import type { Faults } from './faults.ts';
import { firmwareKey } from './flash/firmware.ts';
import { isPayload, type Payload } from './radio/model.ts';

export interface Config {
  /** The port of the control API and the emulated radio, on 127.0.0.1. */
  readonly port: number;
  /** The number of recorders to run. */
  readonly count: number;
  /** The directory for the flash image: the recorder's emulated storage. */
  readonly flashDir: string;
  /** The directory with audio scenes: audio files that serve as the recorder's input. */
  readonly scenesDir: string;
  /** The name of the scene that the microphone picks up. */
  readonly scene: string;
  /** The default notification payload in bytes, for phones (centrals) that don't request a size. */
  readonly payload: Payload;
  /** The highest supported protocol version. */
  readonly protocol: ProtocolVersion;
  /** Whether binding requires a button press or is confirmed automatically. */
  readonly bindConfirm: Faults['bindConfirm'];
  /** The key that verifies firmware signatures, or null to reject all firmware. */
  readonly firmwareKey: KeyObject | null;
}

/** Thrown if an environment variable is invalid. The message includes its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The scene for the microphone. All other scenes are preloaded as sessions. */
export const MICROPHONE_SCENE = 'microphone';
/** Maximum number of recorders. Limited because each recorder loads all scenes into memory. */
const MAX_RECORDERS = 16;
const SCENES = resolve(import.meta.dirname, '../scenes');

/** Reads the configuration. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const port = Number(env.RECORDER_PORT ?? 8090);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new ConfigError(`RECORDER_PORT must be a port number, not "${env.RECORDER_PORT}"`);
  }
  const count = Number(env.RECORDERS ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > MAX_RECORDERS) {
    throw new ConfigError(
      `RECORDERS must be a number from 1 to ${MAX_RECORDERS}, not "${env.RECORDERS}"`,
    );
  }
  const payload = Number(env.RECORDER_PAYLOAD ?? 244);
  if (!isPayload(payload)) {
    throw new ConfigError(
      `RECORDER_PAYLOAD must be 20, 182, 244 or 495, not "${env.RECORDER_PAYLOAD}"`,
    );
  }
  return {
    port,
    count,
    payload,
    protocol: readProtocol(env.RECORDER_PROTOCOL),
    bindConfirm: readConfirm(env.RECORDER_CONFIRM),
    firmwareKey: readKey(env.RECORDER_FIRMWARE_KEY),
    flashDir: resolve(env.DATA_DIR ?? 'data', 'recorder'),
    scenesDir: resolve(env.RECORDER_SCENES ?? SCENES),
    scene: env.RECORDER_SCENE ?? MICROPHONE_SCENE,
  };
}

/** Returns one configuration per recorder, with consecutive ports and separate flash images. */
export function splitConfig(config: Config): Config[] {
  return Array.from({ length: config.count }, (_, n) => ({
    ...config,
    port: config.port === 0 ? 0 : config.port + n,
    flashDir: n === 0 ? config.flashDir : `${config.flashDir}-${n + 1}`,
  }));
}

function readProtocol(value = String(VERSION_2)): ProtocolVersion {
  const version = ([VERSION_1, VERSION_2] as const).find(
    (candidate) => String(candidate) === value,
  );
  if (version === undefined) {
    throw new ConfigError(`RECORDER_PROTOCOL must be 1 or 2, not "${value}"`);
  }
  return version;
}

function readConfirm(value = 'button'): Faults['bindConfirm'] {
  if (value === 'button' || value === 'auto') return value;
  throw new ConfigError(`RECORDER_CONFIRM must be button or auto, not "${value}"`);
}

function readKey(base64: string | undefined): KeyObject | null {
  if (!base64) return null;
  try {
    return firmwareKey(base64);
  } catch (error) {
    const message = 'RECORDER_FIRMWARE_KEY must be an Ed25519 key, 32 bytes in base64';
    throw new ConfigError(message, { cause: error });
  }
}
