/** Audio scenes: audio files that serve as the microphone's input or as preloaded sessions. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeOggToPcm } from '@linnet/audio/convert';
import { PACKET_BYTES } from '@linnet/audio/format';
import { demuxOgg } from '@linnet/audio/ogg';
import type { OpusModule } from '@linnet/audio/opus';
import type { RecordMode, RecordScene } from '../device-types.ts';

export interface Scene {
  /** The file name without extension. */
  readonly name: string;
  readonly title: string;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  /** The samples: 16 kHz, mono. */
  readonly samples: Int16Array;
  /** The same audio in the recorder's own format, if the scene's file uses that format. */
  readonly packets?: readonly Uint8Array[];
}

/** Returns the packets of an Ogg file in the recorder's format, or null for other Ogg files. */
export function recorderPackets(file: Uint8Array): readonly Uint8Array[] | null {
  const { packets } = demuxOgg(file);
  return packets.every(({ length }) => length === PACKET_BYTES) ? packets : null;
}

/**
 * Loads all scenes in a folder (`name.ogg` with `name.json`), sorted by name. Returns none if the folder is missing.
 */
export async function loadScenes(dir: string, opus: OpusModule): Promise<Scene[]> {
  const files = await readdir(dir).catch((error: unknown): string[] => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const names = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'));
  return Promise.all(
    names
      .filter((name) => files.includes(`${name}.ogg`))
      .sort()
      .map(async (name) => {
        const metadata = JSON.parse(await readFile(join(dir, `${name}.json`), 'utf8')) as Scene;
        const { title, mode, scene } = metadata;
        const file = await readFile(join(dir, `${name}.ogg`));
        const packets = recorderPackets(file);
        let samples: Int16Array | null = null;
        return {
          name,
          title,
          mode,
          scene,
          ...(packets && { packets }),
          // Decode the audio on first use, because decoding is slow.
          get samples() {
            samples ??= decodeOggToPcm(file, opus);
            return samples;
          },
        };
      }),
  );
}
